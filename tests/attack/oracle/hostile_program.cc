#include "hostile_program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../../spec/json_match.h"
#include "../internet/own_internet.h"
#include "attack_folder.h"
#include "footprint.h"
#include "oracle.h"
#include "program_file.h"

namespace glovebox::attack {
namespace {

// There are several copies of a frame at its limit while it is read: as bytes, as parsed values, as the result.
constexpr std::size_t kUsualGatewayPeakBytes = std::size_t{64} << 20;

// On a busy machine a program takes longer to reach the limit that it tests. Its time limit matters only if that is the
// limit under test.
constexpr std::chrono::seconds kPatienceWithMachine{300};

// By its code, or by its type alone, unless that is the type of a limit on CPU time.
bool expects_a_time_limit(const Program& program) {
  const auto names = [](const std::string& expected, const char* word) {
    return expected.find(word) != std::string::npos;
  };
  return std::any_of(program.expected.begin(), program.expected.end(), [&](const std::string& expected) {
    return names(expected, "EXECUTION_TIMEOUT") ||
           (names(expected, R"("type": "TimeoutError")") && !names(expected, "CPU_LIMIT"));
  });
}

class HostileProgram : public testing::Test {
 public:
  HostileProgram(std::string path, bool cold) : path_(std::move(path)), cold_(cold) {}

  void TestBody() override {
    for (const FileMode mode : read_program(path_).file_modes) {
      SCOPED_TRACE(mode == FileMode::kOverlay ? "with --vfs=overlay" : "");
      judge_growth([&] { return attack(mode); });
      if (HasFailure() || IsSkipped()) return;
    }
  }

 private:
  // Returns how much the gateway has grown.
  std::size_t attack(FileMode mode) {
    Program program = read_program(path_);
    if (cold_) program.guest = GuestKind::kCold;
    const AttackFolder folder(program);
    if (!folder.not_possible().empty()) {
      skip(folder.not_possible());
      return 0;
    }
    Oracle oracle(program.guest);
    oracle.start_sibling();
    if (HasFatalFailure()) return 0;
    const auto traffic = OwnInternet::instance() ? OwnInternet::instance()->traffic() : OwnInternet::Traffic{};
    RunRequest request = program.request;
    if (!expects_a_time_limit(program)) request.config.timeout = kPatienceWithMachine;
    request.config.file_mode = mode;
    request.context_json = Testbed::instance().canaries().places_json();
    const SandboxConfig config = request.config;
    {
      auto outcome = run_to_end(Testbed::instance().sandbox(program.guest), std::move(request));
      if (!outcome) {
        ADD_FAILURE() << "the run did not end by its limits";
        return 0;
      }
      report(*outcome, config, oracle.peak_growth());
      oracle.judge_peak(program.gateway_peak_bytes.value_or(kUsualGatewayPeakBytes));
      oracle.judge_outcome(*outcome, config);
      oracle.judge_limits(*outcome, config);
      judge_expectation(program, to_json(*outcome));
      if (folder.exists()) judge_folder(folder, *outcome, mode);
      if (OwnInternet::instance()) judge_traffic(program, *outcome, traffic);
    }
    oracle.judge_aftermath();
    return oracle.growth();
  }

  static void skip(const std::string& why) { GTEST_SKIP() << why; }

  static void judge_folder(const AttackFolder& folder, Outcome& outcome, FileMode mode) {
    folder.judge_outcome(outcome);
    if (mode == FileMode::kOverlay) {
      folder.judge_untouched();
      folder.judge_outside();
      // It need not succeed; what matters is where it writes.
      (void)outcome.changes.commit();
    }
    folder.judge_inside(mode == FileMode::kOverlay);
    folder.judge_outside();
  }

  static void judge_traffic(const Program& program, const Outcome& outcome, const OwnInternet::Traffic& before) {
    OwnInternet& internet = *OwnInternet::instance();
    const OwnInternet::Traffic after = internet.traffic();
    EXPECT_EQ(after.trapped, before.trapped) << "somebody connected to a private address";
    EXPECT_EQ(to_json(outcome).find(internet.token()), std::string::npos) << "leaked: what a private service says";
    if (program.is_silent) {
      EXPECT_EQ(after, before) << "a packet went out";
    }
  }

  static void judge_expectation(const Program& program, const std::string& actual) {
    std::string differences;
    for (const std::string& expected : program.expected) {
      const std::string difference = spec::difference(expected, actual);
      if (difference.empty()) return;
      differences += difference.substr(0, 2000) + "\n";
    }
    ADD_FAILURE() << differences << actual.substr(0, 1500);
  }

  // For measurements: a program that comes near its bounds will exceed them some day.
  static void report(const Outcome& outcome, const SandboxConfig& config, std::size_t gateway_peak_bytes) {
    const Metrics& metrics = outcome.metrics;
    RecordProperty("gateway_peak_mb", std::to_string(static_cast<double>(gateway_peak_bytes) / (1 << 20)));
    RecordProperty("guest_mb", std::to_string(metrics.memory_used_mb));
    RecordProperty("poll_late_us", static_cast<int>(metrics.poll_late_ms * 1000));
    const RunError* error = outcome.error();
    if (!error || error->type != ErrorType::kTimeoutError) return;
    const double late = error->code == "CPU_LIMIT"
                            ? metrics.cpu_ms - static_cast<double>(config.cpu.value_or(config.timeout).count())
                            : metrics.execution_ms - static_cast<double>(config.timeout.count());
    RecordProperty("late_us", static_cast<int>(late * 1000));
  }

  std::string path_;
  bool cold_;
};

}  // namespace

void register_programs(const std::vector<std::string>& groups) {
  for (const std::string& group : groups) {
    for (const Program& program : list_programs(group)) {
      const auto add = [&program](const std::string& name, bool cold) {
        testing::RegisterTest(
            ("Program_" + program.group).c_str(), name.c_str(), nullptr, nullptr, program.path.c_str(), 1,
            [path = program.path, cold]() -> testing::Test* { return new HostileProgram(path, cold); });
      };
      add(program.name, false);
      // Types are removed in another way if the stripper is not loaded beforehand.
      if (program.path.ends_with(".ts") && program.guest == GuestKind::kProduct) add(program.name + "_cold", true);
    }
  }
}

}  // namespace glovebox::attack
