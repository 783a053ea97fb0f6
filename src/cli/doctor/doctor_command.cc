#include "cli/doctor/doctor_command.h"

#include <stdlib.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/engine/engine_version.h"
#include "base/program_part.h"
#include "base/text/comma_list.h"
#include "base/text/json_builder.h"
#include "base/text/log_text.h"
#include "cli/doctor/doctor_trials.h"
#include "cli/doctor/hardening.h"
#include "config/state/state_folder.h"
#include "jail/diagnosis/layer_probes.h"
#include "standby/leave.h"
#include "terminal/exit_codes.h"
#include "terminal/standby_time.h"

namespace glovebox::cli {
namespace {

using Check = DoctorCheck;

// Vulnerabilities of an engine become known sooner or later. At this age a newer one should be looked for.
constexpr std::int64_t kOldEngineDays = 60;

Check check_engine() {
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

Check check_programs() {
  Check check{"hardening", true,
              "PIE, RELRO, BIND_NOW, stack protector, FORTIFY, library assertions, CET, no executable stack", ""};
  for (const char* name : {"glovebox", "libglovebox-light.so", "glovebox-gateway", "libglovebox-net.so"}) {
    const auto missing = missing_hardening(base::program_part(name), std::string_view(name).ends_with(".so"));
    if (missing && missing->empty()) continue;
    check.detail = "some programs lack it";
    check.warning += std::string(check.warning.empty() ? "" : "; ") + name +
                     (missing ? " is built without " + base::comma_list(*missing) : ": " + missing.failure().message);
  }
  return check;
}

// Where what decides in this folder would be kept, and whether that place may be used.
Check check_state() {
  const std::unique_ptr<char, decltype(&::free)> here(::realpath(".", nullptr), ::free);
  const auto found = config::find_state_folder(here ? here.get() : "/");
  if (!found) return {"state", false, "none", found.failure().message};
  return {"state", true, found->path + (found->exists ? "" : " (does not exist yet)"), ""};
}

// Searched for where the gateway searches. Only skills need it, so its absence is no fault.
Check find_python() {
  Check check{"python3", true, "none in PATH", "", "", "", "skills need Python 3.10 or newer; the rest works without"};
  std::string_view path = ::getenv("PATH") ? ::getenv("PATH") : "/usr/local/bin:/usr/bin:/bin";
  while (!path.empty()) {
    const std::size_t colon = path.find(':');
    const std::string candidate = std::string(path.substr(0, colon)) + "/python3";
    if (candidate.front() == '/' && ::access(candidate.c_str(), X_OK) == 0) return {"python3", true, candidate};
    path.remove_prefix(colon == path.npos ? path.size() : colon + 1);
  }
  return check;
}

// An engine that waits for the next `exec`, if the owner wants that.
Check check_standby() {
  const auto time = standby_time();
  Check check{"standby", true, "off"};
  if (!time) check.warning = time.failure().message;
  if (!time || time->count() == 0) return check;
  check.detail = "no engine waits; the next exec leaves one";
  if (const pid_t keeper = standby::find_keeper(); keeper != 0)
    check.detail = "process " + std::to_string(keeper) + " keeps an engine";
  if (const auto can = standby::check_standby(); !can) check.warning = can.failure().message;
  return check;
}

struct Examination {
  std::vector<Check> layers;
  std::vector<Check> parts;
  std::vector<Check> trials;
};

// What is wrong, each cause once: several layers and trials may have the same.
struct Cause {
  std::string remedy;
  std::string blocked_by;
  std::string waived_by;
  std::vector<std::string> names;
};

std::vector<Cause> causes_of(const Examination& found) {
  std::vector<Cause> causes;
  for (const auto* checks : {&found.layers, &found.parts, &found.trials}) {
    for (const Check& check : *checks) {
      if (check.present) continue;
      auto cause =
          std::find_if(causes.begin(), causes.end(), [&](const Cause& other) { return other.remedy == check.remedy; });
      if (cause == causes.end()) {
        causes.push_back({check.remedy, check.blocked_by, check.waived_by, {}});
        cause = causes.end() - 1;
      }
      cause->names.push_back(check.name);
    }
  }
  return causes;
}

void print_json(const Examination& found, bool ok) {
  const std::string fixes = base::json_list(causes_of(found), [](const Cause& cause) {
    base::ObjectText fix;
    fix.text("remedy", cause.remedy).text_if("blocked_by", cause.blocked_by);
    return fix.json("for", base::text_list(cause.names)).done();
  });
  base::ObjectText out;
  out.flag("ok", ok).json("layers", to_json(found.layers)).json("dependencies", to_json(found.parts));
  std::puts(out.json("trials", to_json(found.trials)).json("fixes", fixes).done().c_str());
}

void print_list(const char* title, const std::vector<Check>& checks) {
  std::printf("%s\n", title);
  for (const Check& check : checks) {
    std::printf("  %s %-20s %s\n", check.present ? "ok     " : "MISSING", check.name.c_str(),
                base::neutralise(check.detail).c_str());
    if (!check.warning.empty()) std::printf("          warning: %s\n", check.warning.c_str());
  }
}

void print_examination(const Examination& found, bool ok) {
  print_list("Confinement layers", found.layers);
  print_list("This machine", found.parts);
  print_list("Tried once", found.trials);
  for (const Cause& cause : causes_of(found)) {
    std::printf("\nTo fix %s:\n", base::comma_list(cause.names).c_str());
    if (!cause.blocked_by.empty()) std::printf("  blocked by  %s\n", cause.blocked_by.c_str());
    std::printf("  to do       %s\n", cause.remedy.c_str());
    if (!cause.waived_by.empty()) std::printf("  or accept   --degraded=%s\n", cause.waived_by.c_str());
  }
  std::printf("%s\n", ok ? "Everything works." : "\nSomething is missing.");
}

std::vector<Check> examine_layers() {
  std::vector<Check> checks;
  for (const jail::Layer& layer : jail::probe_layers())
    checks.push_back({layer.name, layer.present, layer.detail, layer.remedy, layer.blocked_by, layer.waived_by});
  return checks;
}

std::vector<Check> examine_parts() {
  utsname kernel{};
  ::uname(&kernel);
  return {
      {"kernel", true, std::string(kernel.sysname) + " " + kernel.release + " " + kernel.machine},
      {"user", true, ::geteuid() == 0 ? "root; guests run under an unprivileged uid" : "ordinary user"},
      check_state(),
      check_engine(),
      check_programs(),
      find_python(),
      check_standby(),
  };
}

// Those that are missing and may be: the rest is tried without them, so that one fault does not hide another.
std::vector<std::string> waivable(const std::vector<Check>& layers) {
  std::set<std::string> names;
  for (const Check& layer : layers)
    if (!layer.present && !layer.waived_by.empty()) names.insert(layer.waived_by);
  return {names.begin(), names.end()};
}

// Where a layer is missing, that is the first thing to fix: the trials may need nothing else.
void blame_layers(Examination& found) {
  const auto missing =
      std::find_if(found.layers.begin(), found.layers.end(), [](const Check& layer) { return !layer.present; });
  if (missing == found.layers.end()) return;
  for (Check& trial : found.trials)
    if (!trial.present) trial.remedy = missing->remedy;
}

bool is_complete(const std::vector<Check>& checks) {
  return std::all_of(checks.begin(), checks.end(), [](const Check& check) { return check.present; });
}

}  // namespace

int run_doctor(bool json) {
  Examination found;
  found.layers = examine_layers();
  found.parts = examine_parts();
  found.trials = try_languages(waivable(found.layers));
  for (Check& check : try_gateway()) found.trials.push_back(std::move(check));
  blame_layers(found);
  const bool ok = is_complete(found.layers) && is_complete(found.parts) && is_complete(found.trials);
  json ? print_json(found, ok) : print_examination(found, ok);
  return ok ? kOk : kUnreachable;
}

}  // namespace glovebox::cli
