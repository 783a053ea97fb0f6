#include "cli/doctor/doctor_trials.h"

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <mutex>

#include "base/child.h"
#include "base/program_part.h"
#include "base/system_error.h"
#include "base/text/comma_list.h"
#include "glovebox/sandbox.h"
#include "jail/launcher.h"
#include "jail/layers.h"

namespace glovebox::cli {
namespace {

using std::chrono::steady_clock;

// The first Python run makes an image, which takes seconds; a busy machine takes longer. Beyond it something hangs.
constexpr std::chrono::seconds kMostTrialTime{120};
constexpr std::size_t kMostAnswerBytes = 1 << 20;

struct Trial {
  const char* name;
  Language language;
  const char* code;
};
constexpr Trial kTrials[] = {
    {"TypeScript", Language::kTypeScript, "const answer: number = 42; return answer"},
    {"JavaScript", Language::kJavaScript, "return [40, 2].reduce((a, b) => a + b)"},
    {"Python", Language::kPython, "sum([40, 2])"},
};

// Until its end, and no longer than that.
std::string read_until(int fd, steady_clock::time_point until) {
  std::string text;
  char piece[4096];
  while (text.size() < kMostAnswerBytes) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - steady_clock::now()).count();
    pollfd event{fd, POLLIN, 0};
    if (left <= 0 || ::poll(&event, 1, static_cast<int>(left)) == 0) break;
    const ssize_t size = ::read(fd, piece, sizeof piece);
    if (size > 0) text.append(piece, static_cast<std::size_t>(size));
    if (size == 0 || (size < 0 && errno != EINTR && errno != EAGAIN)) break;
  }
  return text;
}

std::vector<std::string> own_environment() {
  std::vector<std::string> all;
  for (char** variable = environ; variable && *variable; ++variable) all.emplace_back(*variable);
  return all;
}

// What it said on standard error where it said nothing else.
std::string last_words(const std::string& errors, const base::ChildEnd& end) {
  std::string line = errors.substr(0, errors.find('\n'));
  if (!line.empty()) return line;
  if (end.start_error) return base::system_failure(end.start_error, "it cannot be started").message;
  return end.signal ? "it was killed by signal " + std::to_string(end.signal)
                    : "it ended with exit code " + std::to_string(end.code);
}

Result<std::vector<DoctorCheck>> ask_gateway() {
  base::ChildSpec spec;
  spec.program = base::program_part("glovebox-gateway");
  spec.arguments = {"glovebox-gateway", kDoctorPartsCommand};
  spec.environment = own_environment();
  auto child = base::Child::start(std::move(spec));
  if (!child) return child.failure();
  const auto until = steady_clock::now() + kMostTrialTime;
  const base::UniqueFd out = child->take_out();
  const base::UniqueFd err = child->take_err();
  const std::string answer = read_until(out.get(), until);
  const std::string errors = read_until(err.get(), until);
  if (steady_clock::now() >= until) child->kill();
  const base::ChildEnd end = child->reap();
  auto checks = read_doctor_checks(answer);
  if (!checks) return Failure{ErrorCode::kSystem, last_words(errors, end)};
  return checks;
}

// Without them everything works, and takes longer.
DoctorCheck try_huge_pages(const std::vector<std::string>& degraded) {
  jail::LaunchSpec spec;
  spec.engine_path = base::program_part("glovebox-engine");
  spec.library_path = base::program_part("libglovebox-guest.so");
  for (const std::string& name : degraded) spec.accepted_missing |= jail::layer_bit(name);
  const auto zygote = jail::ZygoteProcess::launch(spec);
  const std::size_t megabytes = zygote ? zygote->huge_page_bytes() >> 20 : 0;
  if (megabytes > 0) return {"huge pages", true, std::to_string(megabytes) + " MB, which JavaScript guests share"};
  DoctorCheck check{"huge pages", true, "none"};
  check.warning =
      "without them runs take more CPU time; to have them, boot Linux 6.10 or later with transparent_hugepage=madvise";
  return check;
}

// Only a config with "reuse": "rewind" needs it, and does without where it is impossible.
DoctorCheck try_rewinding(const std::vector<std::string>& degraded) {
  std::mutex mutex;
  std::string why = "a guest did not end its run in order";
  SandboxOptions options;
  options.reuse = Reuse::kRewind;
  options.pool_size = 1;
  options.degraded = degraded;
  options.on_notice = [&](const std::string& notice) {
    const std::lock_guard lock(mutex);
    why = notice;
  };
  bool rewound = false;
  {
    Sandbox sandbox(options);
    for (int run = 0; run < 2; ++run) {
      if (!sandbox.wait_until_warm()) break;
      rewound = sandbox.run({.code = "6 * 7", .conversation = "doctor"}).metrics.rewound;
    }
  }
  if (rewound) return {"rewinding", true, "a guest served a second run of its conversation"};
  DoctorCheck check{"rewinding", true, "not possible"};
  check.warning = "\"sandbox\": {\"reuse\": \"rewind\"} has no effect: " + why;
  return check;
}

}  // namespace

std::vector<DoctorCheck> try_languages(const std::vector<std::string>& degraded) {
  SandboxOptions options;
  options.pool_size = 1;  // a guest that waits touches its memory, which one that is forked for a run leaves to the run
  options.degraded = degraded;
  Sandbox sandbox(options);
  std::vector<DoctorCheck> checks;
  for (const Trial& trial : kTrials) {
    const Result<void> warm = sandbox.wait_until_warm(trial.language);
    const Outcome outcome =
        sandbox.run({.code = trial.code, .language = trial.language, .name = default_file_name(trial.language)});
    DoctorCheck check{trial.name, outcome.ok() && outcome.result_json() == "42", "ran in a sealed guest", kReinstall};
    if (!degraded.empty()) check.detail += ", with --degraded=" + base::comma_list(degraded);
    if (!check.present) check.detail = outcome.error() ? outcome.error()->message : "a wrong result";
    if (check.present && !warm) check.detail = warm.failure().message;
    // The guest that waited may have ended before the run came. The run then got another one, which proves nothing.
    const bool has_waited = warm && outcome.metrics.pooled;
    if (check.present && warm && !has_waited) check.detail = "a guest ended while it waited for its run";
    check.present = check.present && has_waited;
    checks.push_back(std::move(check));
  }
  if (checks.front().present) {
    checks.push_back(try_huge_pages(degraded));
    checks.push_back(try_rewinding(degraded));
  }
  return checks;
}

std::vector<DoctorCheck> try_gateway() {
  auto checks = ask_gateway();
  if (!checks) return {{"gateway", false, checks.failure().message, kReinstall}};
  return std::move(checks).value();
}

}  // namespace glovebox::cli
