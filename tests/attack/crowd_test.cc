// B16: a hundred hostile guests at once, and honest runs among them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "oracle/eventually.h"
#include "oracle/oracle.h"

namespace glovebox::attack {
namespace {

struct Hostile {
  const char* code;
  std::set<std::string> codes;  // the endings that it may have
};

// Programs that end for another reason than their time limit, however busy the machine is.
bool ends_by_itself(const Hostile& hostile) {
  return !hostile.codes.contains("EXECUTION_TIMEOUT");
}

// Each with native code, so that they are as bad as possible.
const Hostile kHostile[] = {
    {"while (true);", {"EXECUTION_TIMEOUT"}},
    // Each promise waits for the next, so all of them stay alive.
    {"const again = () => Promise.resolve().then(again); again(); await new Promise(() => {})",
     {"EXECUTION_TIMEOUT", "MEMORY_LIMIT"}},
    {"const a = []; for (;;) a.push(new Array(1000).fill(0))", {"MEMORY_LIMIT", "EXECUTION_TIMEOUT"}},
    {"for (;;) console.log('x'.repeat(1000))", {"EXECUTION_TIMEOUT"}},
    {"/^(a+)+$/.test('a'.repeat(100) + '!')", {"EXECUTION_TIMEOUT"}},
    {"const b = []; for (;;) b.push(new Uint8Array(1 << 20).fill(1))", {"MEMORY_LIMIT", "EXECUTION_TIMEOUT"}},
    {"const a = () => setTimeout(a, 0); a(); await new Promise(() => {})", {"EXECUTION_TIMEOUT"}},
    {"syscall(62, -1, 9)", {"FORBIDDEN_SYSTEM_CALL"}},
    {"crash()", {"GUEST_CRASHED"}},
    {"syscall(1, 3, Uint8Array.of(255, 255, 255, 255), 4); for (;;);", {"FRAME_TOO_LARGE"}},
    {"const f = new TextEncoder().encode('\\x27\\0\\0\\0{\"frame\":\"log\",\"level\":\"log\",\"text\":\"\"}'); for "
     "(;;) syscall(1, 3, f, f.length)",
     {"LOG_LIMIT", "EXECUTION_TIMEOUT"}},
    {"return 'x'.repeat(2e6)", {"RESULT_TOO_LARGE"}},
    {"await new Promise(() => {})", {"EXECUTION_TIMEOUT"}},
};

SandboxConfig tight_limits() {
  SandboxConfig config;
  config.memory_bytes = std::size_t{32} << 20;
  config.max_output_bytes = std::size_t{1} << 20;
  config.max_log_bytes = std::size_t{64} << 10;
  return config;
}

struct Attack {
  const Hostile* hostile;
  SandboxConfig config;
  std::future<Outcome> outcome;
};
using Attacks = std::vector<Attack>;

// How long endless programs may run: long enough for honest runs of milliseconds, even on a busy machine.
constexpr std::chrono::seconds kStay{3};

Attacks start_attacks(Sandbox& sandbox, int count) {
  Attacks attacks;
  for (int i = 0; i < count; ++i) {
    const Hostile& hostile = kHostile[static_cast<std::size_t>(i) % std::size(kHostile)];
    RunRequest request;
    request.code = hostile.code;
    request.language = Language::kJavaScript;
    request.config = tight_limits();
    request.config.timeout = ends_by_itself(hostile) ? kPatience : kStay;
    auto ended = std::make_shared<std::promise<Outcome>>();
    attacks.push_back({&hostile, request.config, ended->get_future()});
    sandbox.submit(std::move(request), [ended](Outcome outcome) { ended->set_value(std::move(outcome)); });
  }
  return attacks;
}

bool any_under_way(const Attacks& attacks) {
  return std::any_of(attacks.begin(), attacks.end(), [](const auto& attack) {
    return attack.outcome.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  });
}

// One honest run after the other, while the attack continues. Returns how many succeeded.
int run_honestly(Sandbox& sandbox, const Attacks& attacks) {
  int honest = 0;
  for (;; ++honest) {
    RunRequest request;
    request.config.timeout = kPatience;
    request.code = "await new Promise((r) => setTimeout(r, 1)); return context.n * 2";
    request.context_json = "{\"n\":" + std::to_string(honest) + "}";
    const auto outcome = run_to_end(sandbox, std::move(request));
    if (!outcome || !outcome->ok() || outcome->result_json() != std::to_string(honest * 2)) {
      ADD_FAILURE() << "an honest run: " << (outcome ? to_json(*outcome) : "does not end");
      return honest;
    }
    if (!any_under_way(attacks)) return honest;
  }
}

void judge_attacks(const Oracle& oracle, Attacks attacks) {
  for (auto& [hostile, config, future] : attacks) {
    ASSERT_EQ(future.wait_for(2 * kPatience), std::future_status::ready) << hostile->code;
    const Outcome outcome = future.get();
    oracle.judge_outcome(outcome, config);
    oracle.judge_limits(outcome, config);
    const std::string code = outcome.error() ? outcome.error()->code.text() : "none";
    EXPECT_TRUE(hostile->codes.contains(code)) << hostile->code << ": " << to_json(outcome).substr(0, 1000);
  }
}

TEST(Crowd, B16_AHundredHostileGuestsAndHonestRunsAmongThem) {
  // The first crowd makes room for a hundred at once in the gateway's allocator.
  judge_growth([] {
    Oracle oracle(GuestKind::kProbe);
    Sandbox& sandbox = Testbed::instance().sandbox(GuestKind::kProbe);
    Attacks attacks = start_attacks(sandbox, 100);
    const int honest = run_honestly(sandbox, attacks);
    EXPECT_GE(honest, 2) << "no honest run got through while the attack went on; " << load_now();
    RecordProperty("honest", honest);
    judge_attacks(oracle, std::move(attacks));
    oracle.judge_aftermath();
    return oracle.growth();
  });
}

}  // namespace
}  // namespace glovebox::attack
