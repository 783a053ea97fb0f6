// E19: the zygote is killed, stopped, or not the one that belongs to this gateway.
#include <gtest/gtest.h>
#include <signal.h>

#include "oracle/eventually.h"
#include "oracle/oracle.h"
#include "oracle/process_view.h"
#include "own_sandbox.h"

namespace glovebox::attack {
namespace {

RunRequest talk_then_wait() {
  RunRequest request;
  request.code = "console.log('here'); await new Promise((r) => setTimeout(r, 1e6))";
  request.config.timeout = std::chrono::minutes(10);
  return request;
}

std::string code_of(const Outcome& outcome) {
  return outcome.error() ? outcome.error()->code.text() : "none";
}

TEST(ZygoteAttacked, E19_KilledDuringARun) {
  OwnSandbox own(GuestKind::kProduct, 1);
  Underway underway = start_run(own.sandbox(), talk_then_wait());
  const pid_t zygote = own.zygote();
  ASSERT_GT(zygote, 0);
  const auto guests = own.guests();
  ASSERT_EQ(::kill(zygote, SIGKILL), 0);
  const Outcome outcome = underway.outcome.get();
  EXPECT_EQ(code_of(outcome), "ZYGOTE_DIED") << to_json(outcome);
  EXPECT_EQ(outcome.logs.size(), 1u) << "what was said before is kept";
  for (const pid_t guest : guests)
    EXPECT_TRUE(eventually([&] { return !is_alive(guest); })) << "a guest outlives its zygote";
  const auto next = run_to_end(own.sandbox(), {.code = "1 + 1"});
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->ok()) << to_json(*next);
  EXPECT_NE(own.zygote(), zygote);
}

TEST(ZygoteAttacked, E19_KilledAgainAndAgain) {
  OwnSandbox own(GuestKind::kProduct, 1);
  for (int round = 0; round < 5; ++round) {
    const pid_t zygote = own.zygote();
    ASSERT_GT(zygote, 0);
    ASSERT_EQ(::kill(zygote, SIGKILL), 0);
    const auto has_another = [&] {
      const pid_t now = own.zygote();
      return now != 0 && now != zygote;
    };
    ASSERT_TRUE(eventually(has_another)) << "no new zygote";
    const auto next = run_to_end(own.sandbox(), {.code = "1 + 1"});
    ASSERT_TRUE(next);
    EXPECT_TRUE(next->ok()) << to_json(*next);
  }
}

TEST(ZygoteAttacked, E19_StoppedDuringARun) {
  OwnSandbox own(GuestKind::kProduct, 1);
  RunRequest request = talk_then_wait();
  request.config.timeout = std::chrono::seconds(1);
  Underway underway = start_run(own.sandbox(), std::move(request));
  // Nothing is requested from the zygote from now on, so that its silence is noticed only when the run has ended.
  ASSERT_TRUE(own.sandbox().wait_until_warm().ok());
  const pid_t zygote = own.zygote();
  ASSERT_GT(zygote, 0);
  ASSERT_EQ(::kill(zygote, SIGSTOP), 0);
  ASSERT_EQ(underway.outcome.wait_for(kPatience), std::future_status::ready) << "the run did not end by its limit";
  EXPECT_EQ(code_of(underway.outcome.get()), "EXECUTION_TIMEOUT");

  // The pool serves a run or two; then the gateway must notice that it gets no more guests.
  for (int i = 0; i < 4; ++i) {
    const auto next = run_to_end(own.sandbox(), {.code = "1 + 1"});
    ASSERT_TRUE(next) << "run " << i << " hangs while the zygote is stopped";
    EXPECT_TRUE(next->ok() || code_of(*next) == "ZYGOTE_DIED" || code_of(*next) == "SANDBOX_UNAVAILABLE")
        << to_json(*next);
  }
  ::kill(zygote, SIGCONT);
  const auto last = run_to_end(own.sandbox(), {.code = "1 + 1"});
  ASSERT_TRUE(last);
  EXPECT_TRUE(last->ok()) << to_json(*last);
}

// A guest that its zygote cannot reap still ends for the caller that waits for it.
TEST(ZygoteAttacked, E19_StoppedWhileAGuestDies) {
  OwnSandbox own(GuestKind::kProbe, 1);
  RunRequest request;
  request.code = "console.log('here'); await new Promise((r) => setTimeout(r, 100)); crash()";
  request.config.timeout = std::chrono::seconds(2);
  Underway underway = start_run(own.sandbox(), std::move(request));
  const pid_t zygote = own.zygote();
  ASSERT_GT(zygote, 0);
  ASSERT_EQ(::kill(zygote, SIGSTOP), 0);
  ASSERT_EQ(underway.outcome.wait_for(kPatience), std::future_status::ready);
  const Outcome outcome = underway.outcome.get();
  EXPECT_TRUE(code_of(outcome) == "EXECUTION_TIMEOUT" || code_of(outcome) == "GUEST_CRASHED" ||
              code_of(outcome) == "ZYGOTE_DIED")
      << to_json(outcome);
  ::kill(zygote, SIGCONT);
}

TEST(ZygoteAttacked, E19_AGuestKilledFromOutside) {
  OwnSandbox own(GuestKind::kProduct, 0);
  Underway underway = start_run(own.sandbox(), talk_then_wait());
  ASSERT_EQ(::kill(own.only_guest(), SIGKILL), 0);
  EXPECT_EQ(code_of(underway.outcome.get()), "GUEST_CRASHED");
  const auto next = run_to_end(own.sandbox(), {.code = "1 + 1"});
  ASSERT_TRUE(next);
  EXPECT_TRUE(next->ok()) << to_json(*next);
}

TEST(ZygoteAttacked, E19_AWaitingGuestKilledFromOutside) {
  OwnSandbox own(GuestKind::kProduct, 1);
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(own.sandbox().wait_until_warm().ok());
    ASSERT_EQ(::kill(own.only_guest(), SIGKILL), 0);
    const auto next = run_to_end(own.sandbox(), {.code = "1 + 1"});
    ASSERT_TRUE(next);
    // The run may have been given to the guest just as it died.
    EXPECT_TRUE(next->ok() || code_of(*next) == "GUEST_CRASHED") << to_json(*next);
    const auto after = run_to_end(own.sandbox(), {.code = "1 + 1"});
    ASSERT_TRUE(after);
    EXPECT_TRUE(after->ok()) << to_json(*after);
  }
}

// A library that is not a guest, and one that does not exist.
TEST(ZygoteAttacked, E19_AForeignGuestLibrary) {
  for (const char* library : {"/proc/self/exe", "/etc/passwd", "/nonexistent/libglovebox-guest.so"}) {
    SandboxOptions options;
    options.guest_library_path = library;
    Sandbox sandbox(std::move(options));
    const auto outcome = run_to_end(sandbox, {.code = "1 + 1"});
    ASSERT_TRUE(outcome) << library;
    EXPECT_EQ(code_of(*outcome), "SANDBOX_UNAVAILABLE") << to_json(*outcome);
  }
}

}  // namespace
}  // namespace glovebox::attack
