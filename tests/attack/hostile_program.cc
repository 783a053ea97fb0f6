#include "hostile_program.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "../spec/json_match.h"
#include "attack_folder.h"
#include "footprint.h"
#include "oracle.h"
#include "own_internet.h"
#include "program_file.h"

namespace glovebox::attack {
namespace {

// A frame at its limit exists a few times while it is read: as bytes, as parsed values, as the result.
constexpr std::size_t kUsualGatewayPeakBytes = std::size_t{64} << 20;

// On a busy machine a program takes longer to come to the limit that it is about. Its time is only a matter of the test
// where that is the limit.
constexpr std::chrono::seconds kPatienceWithMachine{300};

// By its code, or by its type alone, where that is not the type of a limit on CPU time.
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
      attack(mode);
      if (HasFailure() || IsSkipped()) return;
    }
  }

 private:
  // What the first run of its kind costs the gateway once, a later one does not cost again; a leak it does. And a
  // gateway that has looked late, because the machine was busy, looks in time another time.
  void attack(FileMode mode) {
    int grown = 0, late = 0;
    while (grown < 3 && late < 10) {
      if (!attack_once(mode)) return;
      grown += growth_ > kAllowedGrowthBytes;
      late += beyond_memory_ || beyond_peak_;
      if (growth_ <= kAllowedGrowthBytes && !beyond_memory_ && !beyond_peak_) return;
    }
    if (grown == 3) ADD_FAILURE() << "the gateway keeps growing, by " << growth_ << " bytes";
    if (late == 10)
      ADD_FAILURE() << (beyond_memory_ ? "memory beyond the limit" : "the gateway's peak") << ", each time";
  }

  bool attack_once(FileMode mode) {
    Program program = read_program(path_);
    if (cold_) program.guest = GuestKind::kCold;
    const AttackFolder folder(program);
    if (!folder.not_possible().empty()) {
      skip(folder.not_possible());
      return false;
    }
    Oracle oracle(program.guest);
    oracle.start_sibling();
    if (HasFatalFailure()) return false;
    const auto traffic = OwnInternet::instance() ? OwnInternet::instance()->traffic() : OwnInternet::Traffic{};
    RunRequest request = program.request;
    if (!expects_a_time_limit(program)) request.config.timeout = kPatienceWithMachine;
    request.config.file_mode = mode;
    request.context_json = Testbed::instance().canaries().places_json();
    {
      auto outcome = run_to_end(Testbed::instance().sandbox(program.guest), std::move(request));
      if (!outcome) {
        ADD_FAILURE() << "the run did not end by its limits";
        return false;
      }
      // For whoever measures: a program that comes near to its bounds goes beyond them some day, by chance.
      RecordProperty("gateway_peak_mb", std::to_string(static_cast<double>(oracle.peak_growth()) / (1 << 20)));
      RecordProperty("guest_mb", std::to_string(outcome->metrics.memory_used_mb));
      const std::size_t allowed_peak = program.gateway_peak_bytes.value_or(kUsualGatewayPeakBytes);
      // What the test's tools hand over waits for the gateway's thread, all of it where that is not let run. What the
      // gateway then keeps is bounded, each time.
      beyond_peak_ = kMemoryIsMeaningful && program.request.tools && oracle.peak_growth() > allowed_peak;
      if (!beyond_peak_) oracle.judge_peak(allowed_peak);
      oracle.judge_outcome(*outcome, program.request.config);
      beyond_memory_ = !Oracle::is_within_memory(*outcome, program.request.config);
      judge_expectation(program, to_json(*outcome));
      if (folder.exists()) judge_folder(folder, *outcome, mode);
      if (OwnInternet::instance()) judge_traffic(program, *outcome, traffic);
      report(program, *outcome);
    }
    oracle.judge_aftermath();
    growth_ = oracle.growth();
    return !HasFailure();
  }

  static void skip(const std::string& why) { GTEST_SKIP() << why; }

  static void judge_folder(const AttackFolder& folder, Outcome& outcome, FileMode mode) {
    folder.judge_outcome(outcome);
    if (mode == FileMode::kOverlay) {
      folder.judge_untouched();
      folder.judge_outside();
      // Whether it succeeds is not the question here, but where it writes to.
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

  // For whoever measures: how far a run went beyond its limit.
  static void report(const Program& program, const Outcome& outcome) {
    const RunError* error = outcome.error();
    if (!error || error->type != ErrorType::kTimeoutError) return;
    const auto& config = program.request.config;
    const double late = error->code == "CPU_LIMIT"
                            ? outcome.metrics.cpu_ms - static_cast<double>(config.cpu->count())
                            : outcome.metrics.execution_ms - static_cast<double>(config.timeout.count());
    RecordProperty("late_us", static_cast<int>(late * 1000));
  }

  std::string path_;
  bool cold_;
  std::size_t growth_ = 0;
  bool beyond_memory_ = false;
  bool beyond_peak_ = false;
};

}  // namespace

void register_programs(const std::vector<std::string>& groups) {
  for (const std::string& group : groups) {
    for (const Program& program : list_programs(std::string(GLOVEBOX_SOURCE_DIR "/tests/attack/") + group)) {
      const auto add = [&program](const std::string& name, bool cold) {
        testing::RegisterTest(
            ("Program_" + program.group).c_str(), name.c_str(), nullptr, nullptr, program.path.c_str(), 1,
            [path = program.path, cold]() -> testing::Test* { return new HostileProgram(path, cold); });
      };
      add(program.name, false);
      // Types are removed in another way where the stripper is not loaded beforehand.
      if (program.path.ends_with(".ts") && program.guest == GuestKind::kProduct) add(program.name + "_cold", true);
    }
  }
}

}  // namespace glovebox::attack
