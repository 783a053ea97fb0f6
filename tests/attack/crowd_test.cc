// B16: a hundred hostile guests at once, and honest runs among them.
#include <gtest/gtest.h>

#include <atomic>

#include "eventually.h"
#include "oracle.h"
#include "own_sandbox.h"

namespace glovebox::attack {
namespace {

struct Hostile {
  const char* code;
  std::set<std::string> codes;  // what may come of it
};

// With native code each, so that the worst of them is as bad as it gets.
const Hostile kHostile[] = {
    {"while (true);", {"EXECUTION_TIMEOUT"}},
    {"const again = () => Promise.resolve().then(again); again(); await new Promise(() => {})", {"EXECUTION_TIMEOUT"}},
    {"const a = []; for (;;) a.push(new Array(1000).fill(0))", {"MEMORY_LIMIT", "EXECUTION_TIMEOUT"}},
    {"for (;;) console.log('x'.repeat(1000))", {"EXECUTION_TIMEOUT"}},
    {"/^(a+)+$/.test('a'.repeat(100) + '!')", {"EXECUTION_TIMEOUT"}},
    {"const b = []; for (;;) b.push(new Uint8Array(1 << 20).fill(1))", {"MEMORY_LIMIT", "EXECUTION_TIMEOUT"}},
    {"const a = () => setTimeout(a, 0); a(); await new Promise(() => {})", {"EXECUTION_TIMEOUT"}},
    {"syscall(62, -1, 9)", {"FORBIDDEN_SYSTEM_CALL"}},
    {"crash()", {"GUEST_CRASHED"}},
    {"syscall(1, 3, Uint8Array.of(255, 255, 255, 255), 4); for (;;);", {"FRAME_TOO_LARGE"}},
    {"const f = new TextEncoder().encode('\\x27\\0\\0\\0{\"frame\":\"log\",\"level\":\"log\",\"text\":\"\"}'); for (;;) syscall(1, 3, f, f.length)",
     {"LOG_LIMIT", "EXECUTION_TIMEOUT"}},
    {"return 'x'.repeat(2e6)", {"RESULT_TOO_LARGE"}},
    {"await new Promise(() => {})", {"EXECUTION_TIMEOUT"}},
};

TEST(Crowd, B16_AHundredHostileGuestsAndHonestRunsAmongThem) {
  Oracle oracle(GuestKind::kProbe);
  Sandbox& sandbox = Testbed::instance().sandbox(GuestKind::kProbe);
  std::vector<std::pair<const Hostile*, std::future<Outcome>>> attacks;
  SandboxConfig config;
  config.timeout = std::chrono::seconds(2);
  config.memory_bytes = std::size_t{32} << 20;
  config.max_output_bytes = std::size_t{1} << 20;
  config.max_log_bytes = std::size_t{64} << 10;
  for (int i = 0; i < 100; ++i) {
    const Hostile& hostile = kHostile[static_cast<std::size_t>(i) % std::size(kHostile)];
    RunRequest request;
    request.code = hostile.code;
    request.language = Language::kJavaScript;
    request.config = config;
    auto ended = std::make_shared<std::promise<Outcome>>();
    attacks.emplace_back(&hostile, ended->get_future());
    sandbox.submit(std::move(request), [ended](Outcome outcome) { ended->set_value(std::move(outcome)); });
  }

  int honest = 0;
  const auto still_attacked = [&] {
    return attacks.back().second.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  };
  do {
    RunRequest request;
    request.code = "await new Promise((r) => setTimeout(r, 1)); return context.n * 2";
    request.context_json = "{\"n\":" + std::to_string(honest) + "}";
    const auto outcome = run_to_end(sandbox, std::move(request));
    ASSERT_TRUE(outcome) << "an honest run does not end";
    EXPECT_TRUE(outcome->ok() && outcome->result_json() == std::to_string(honest * 2)) << to_json(*outcome);
    ++honest;
  } while (still_attacked() && honest < 1000);
  EXPECT_GE(honest, 2) << "no honest run got through";

  for (auto& [hostile, future] : attacks) {
    ASSERT_EQ(future.wait_for(std::chrono::seconds(30)), std::future_status::ready) << hostile->code;
    const Outcome outcome = future.get();
    oracle.judge_outcome(outcome, config);
    const std::string code = outcome.error() ? outcome.error()->code : "none";
    EXPECT_TRUE(hostile->codes.contains(code)) << hostile->code << ": " << to_json(outcome).substr(0, 1000);
  }
  attacks.clear();
  oracle.judge_aftermath();
  EXPECT_LE(oracle.growth(), kAllowedGrowthBytes);
}

}  // namespace
}  // namespace glovebox::attack
