#include "frontend/cli/doctor_command.h"

#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "base/json_text.h"
#include "frontend/cli/exit_codes.h"
#include "glovebox/sandbox.h"
#include "jail/layers.h"

namespace glovebox::frontend {
namespace {

struct Check {
  std::string name;
  bool present;
  std::string detail;
  std::string remedy;
};

// The whole chain at once: engine, library, zygote, seal, TypeScript, result.
Check try_run() {
  Check check{"run", false, "", "see the failed checks above; `make build` builds the engine's parts"};
  SandboxOptions options;
  options.pool_size = 0;
  Sandbox sandbox(options);
  const Outcome outcome = sandbox.run({.code = "const answer: number = 42; return answer"});
  check.present = outcome.ok() && outcome.result_json() == "42";
  check.detail = check.present ? "TypeScript ran in a sealed guest"
                               : (outcome.error() ? outcome.error()->message : "a wrong result");
  return check;
}

void print_json(const std::vector<Check>& layers, const std::vector<Check>& parts, bool ok) {
  std::string out = std::string("{\"ok\":") + (ok ? "true" : "false");
  const auto list = [&](const char* name, const std::vector<Check>& checks) {
    out += std::string(",\"") + name + "\":[";
    for (const Check& check : checks) {
      if (out.back() != '[') out += ',';
      out += "{\"name\":" + base::json_string(check.name) + ",\"present\":" + (check.present ? "true" : "false") +
             ",\"detail\":" + base::json_string(check.detail);
      if (!check.present) out += ",\"remedy\":" + base::json_string(check.remedy);
      out += '}';
    }
    out += ']';
  };
  list("layers", layers);
  list("dependencies", parts);
  out += '}';
  std::puts(out.c_str());
}

void print_table(const char* title, const std::vector<Check>& checks) {
  std::printf("%s\n", title);
  for (const Check& check : checks) {
    std::printf("  %s %-20s %s\n", check.present ? "ok     " : "MISSING", check.name.c_str(), check.detail.c_str());
    if (!check.present) std::printf("          to do: %s\n", check.remedy.c_str());
  }
}

}  // namespace

int run_doctor(bool json) {
  std::vector<Check> layers;
  bool ok = true;
  for (const jail::Layer& layer : jail::probe_layers()) {
    layers.push_back({layer.name, layer.present, layer.detail, layer.remedy});
    ok = ok && layer.present;
  }
  utsname kernel{};
  ::uname(&kernel);
  std::vector<Check> parts;
  parts.push_back({"kernel", true, std::string(kernel.sysname) + " " + kernel.release + " " + kernel.machine, ""});
  parts.push_back(
      {"user", true, ::geteuid() == 0 ? "root; guests run under an unprivileged uid" : "ordinary user", ""});
  parts.push_back(try_run());
  ok = ok && parts.back().present;
  if (json) {
    print_json(layers, parts, ok);
  } else {
    print_table("Confinement layers", layers);
    print_table("The rest", parts);
    std::printf("%s\n", ok ? "Everything is in place." : "Something is missing; see \"to do\" above.");
  }
  return ok ? kOk : kUnreachable;
}

}  // namespace glovebox::frontend
