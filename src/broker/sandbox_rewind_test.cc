// Runs of one conversation that share a guest, which is rewound between them. What hostile code may try is in
// tests/attack/rewind.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <sys/prctl.h>

#include <atomic>
#include <deque>
#include <functional>
#include <set>
#include <thread>

#include "base/sanitized.h"
#include "broker/begun_runs.h"
#include "broker/sandbox_fixture.h"
#include "calls/tools/scripted_tools.h"
#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

SandboxOptions rewinding() {
  SandboxOptions options;
  options.reuse = Reuse::kRewind;
  options.pool_size = 1;
  return options;
}

RunRequest request_in(const std::string& conversation, const std::string& code) {
  RunRequest request;
  request.code = code;
  request.client = "client";
  request.conversation = conversation;
  return request;
}

class SandboxRewind : public testing::Test {
 protected:
  // All guests wait again, also the one that has served this run.
  Outcome run(RunRequest request) {
    EXPECT_TRUE(sandbox_.wait_until_warm().ok());
    Outcome outcome = sandbox_.run(std::move(request));
    EXPECT_TRUE(sandbox_.wait_until_warm().ok());
    return outcome;
  }

  Sandbox sandbox_{rewinding()};
};

TEST_F(SandboxRewind, RunsOfOneConversationShareAGuest) {
  EXPECT_FALSE(run(request_in("a", "return 1")).metrics.rewound);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(run(request_in("a", "return 1")).metrics.rewound) << i;
}

TEST_F(SandboxRewind, OthersDoNot) {
  EXPECT_FALSE(run(request_in("a", "return 1")).metrics.rewound);
  EXPECT_FALSE(run(request_in("b", "return 1")).metrics.rewound);
  RunRequest of_another = request_in("a", "return 1");
  of_another.client = "another client";
  EXPECT_FALSE(run(std::move(of_another)).metrics.rewound);
  RunRequest larger = request_in("a", "return 1");
  larger.config.memory_bytes *= 2;
  EXPECT_FALSE(run(std::move(larger)).metrics.rewound);
  for (int i = 0; i < 3; ++i) EXPECT_FALSE(run(request_in("", "return 1")).metrics.rewound) << i;
  EXPECT_TRUE(run(request_in("a", "return 1")).metrics.rewound);
}

TEST_F(SandboxRewind, ResultsAreThoseOfNewGuests) {
  constexpr const char* kCode =
      "globalThis.count = (globalThis.count ?? 0) + 1; return [count, Math.random(), crypto.randomUUID(), Date.now(), "
      "[...crypto.getRandomValues(new Uint8Array(8))], context.n, Object.keys(globalThis).length]";
  Sandbox fresh(SandboxOptions{.pool_size = 1});
  for (const char* seed : {"one", "two", "one"}) {
    RunRequest request = request_in("a", kCode);
    request.seed = seed;
    request.now_ms = 1'750'000'000'000;
    request.context_json = R"({"n":7})";
    const Outcome expected = fresh.run(request), outcome = run(request);
    ASSERT_TRUE(expected.ok() && outcome.ok());
    EXPECT_EQ(outcome.result_json(), expected.result_json());
  }
}

TEST_F(SandboxRewind, RunsWithoutASeedDiffer) {
  std::set<std::string> draws;
  for (int i = 0; i < 10; ++i)
    draws.insert(run(request_in("a", "return [Math.random(), crypto.randomUUID()]")).result_json());
  EXPECT_EQ(draws.size(), 10u);
}

// Half a megabyte of garbage and forty calls are still small.
constexpr const char* kHalfAMegabyte =
    "let n = 0; for (let i = 0; i < 500; ++i) n += new Array(127).fill(i).length; return n";

TEST_F(SandboxRewind, ASmallRunMayUseSomeMemory) {
  for (int i = 0; i < 3; ++i) EXPECT_EQ(run(request_in("a", kHalfAMegabyte)).metrics.rewound, i > 0) << i;
}

TEST_F(SandboxRewind, PagesOfEarlierRunsAreNotItsMemory) {
  const Outcome first = run(request_in("a", kHalfAMegabyte));
  ASSERT_GT(first.metrics.memory_used_mb, 0.5) << to_json(first);
  const Outcome second = run(request_in("a", "return 1"));
  EXPECT_TRUE(second.metrics.rewound);
  EXPECT_LT(second.metrics.memory_used_mb, 0.3);
}

// The others' are ended instead, of which there are more.
TEST_F(SandboxRewind, AClientWithManyConversationsLeavesThoseOfOthersWaiting) {
  EXPECT_FALSE(run(request_in("a", "return 1")).metrics.rewound);
  for (int i = 0; i < 70; ++i) {
    RunRequest request = request_in(std::to_string(i), "return 1");
    request.client = "another client";
    (void)run(std::move(request));
  }
  EXPECT_TRUE(run(request_in("a", "return 1")).metrics.rewound);
}

TEST_F(SandboxRewind, CallsThatHaveEndedDoNotHinderIt) {
  const auto request = [](const char* code) {
    RunRequest request = request_in("a", code);
    request.tools = std::make_shared<testing::ScriptedTools>();
    return request;
  };
  EXPECT_EQ(code_of(run(request("return await mcp.demo.echo({ a: 1 })"))), "ok");
  EXPECT_TRUE(run(request("for (let i = 0; i < 40; ++i) await mcp.demo.echo({ i }); return 1")).metrics.rewound);
  EXPECT_TRUE(run(request("return 1")).metrics.rewound);
}

TEST_F(SandboxRewind, WhatDidNotEndInOrderIsTheLastRunOfItsGuest) {
  for (const char* code :
       {"throw new Error('no')", "return", "const all = []; for (;;) all.push(new Array(1e6).fill(1))",
        "return new Uint8Array(1 << 24).length"}) {
    RunRequest request = request_in(code, code);
    request.config.memory_bytes = std::size_t{128} << 20;
    (void)run(request);
    request.code = "return 1";
    const bool shared = run(request).metrics.rewound;
    EXPECT_EQ(shared, std::string(code) == "return") << code;
  }
}

// A program that uses the library may wait for all its children, in any thread.
TEST_F(SandboxRewind, AnotherThreadMayWaitForAllChildren) {
  std::atomic<bool> over = false;
  std::thread other([&] {
    while (!over) ::waitpid(-1, nullptr, WNOHANG);
  });
  EXPECT_FALSE(run(request_in("a", "return 1")).metrics.rewound);
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(run(request_in("a", "return 1")).metrics.rewound) << i;
  over = true;
  other.join();
}

TEST_F(SandboxRewind, ManyAtOnce) {
  std::vector<std::unique_ptr<Pending>> runs;
  for (int i = 0; i < 300; ++i) {
    runs.push_back(
        std::make_unique<Pending>(sandbox_, request_in(std::to_string(i % 3), "return " + std::to_string(i))));
  }
  std::size_t rewound = 0;
  for (int i = 0; i < 300; ++i) {
    const Outcome outcome = runs[static_cast<std::size_t>(i)]->outcome();
    ASSERT_TRUE(outcome.ok()) << to_json(outcome);
    EXPECT_EQ(outcome.result_json(), std::to_string(i));
    rewound += outcome.metrics.rewound;
  }
  EXPECT_GT(rewound, 0u);
}

// A run waits for a guest that is being rewound. One that takes a new guest makes them more with each round.
TEST_F(SandboxRewind, ManyAtOnceNeedNoMoreGuestsThanThereAreRuns) {
  constexpr std::size_t kAtOnce = 8, kRuns = 4'000;
  std::deque<Pending> runs;
  std::size_t in_new_guests = 0;
  for (std::size_t i = 0; i < kRuns; ++i) {
    if (i >= kAtOnce) {
      in_new_guests += !runs.front().outcome().metrics.rewound;
      runs.pop_front();
    }
    runs.emplace_back(sandbox_, request_in("a", "return 1"));
  }
  EXPECT_LE(in_new_guests, kAtOnce + 1);
}

// More of them than may keep the cores busy.
TEST_F(SandboxRewind, RunsThatGoOnDoNotHoldOthersUp) {
  std::vector<std::unique_ptr<Pending>> sleeping;
  const std::size_t many = 4 * broker::BegunRuns::kPerCore * std::thread::hardware_concurrency();
  for (std::size_t i = 0; i < std::min<std::size_t>(many, 100); ++i) {
    RunRequest request = request_in("a", "console.log('here'); await new Promise((done) => setTimeout(done, 1e6))");
    request.config.timeout = std::chrono::minutes(10);
    sleeping.push_back(std::make_unique<Pending>(sandbox_, std::move(request)));
  }
  EXPECT_EQ(sandbox_.run(request_in("a", "return 1")).result_json(), "1");
  for (const auto& run : sleeping) run->wait_until_it_speaks();
  for (const auto& run : sleeping) run->cancel();
  for (const auto& run : sleeping) run->outcome();
}

// Runs that need a new guest must not keep back one for which a guest waits, although their client has fewer under way.
TEST_F(SandboxRewind, AFloodOfRunsWithoutAConversationStarvesNoOther) {
  const auto victims = [](const char* code) {
    RunRequest request = request_in("v", code);
    request.client = "victim";
    request.config.timeout = std::chrono::minutes(10);
    return request;
  };
  std::vector<std::unique_ptr<Pending>> sleeping;
  for (int i = 0; i < 12; ++i)
    sleeping.push_back(std::make_unique<Pending>(
        sandbox_, victims("console.log('here'); await new Promise((done) => setTimeout(done, 1e6))")));
  for (const auto& run : sleeping) run->wait_until_it_speaks();
  std::atomic<bool> over = false;
  std::atomic<int> under_way = 0, ended = 0;
  const std::function<void()> begin_another = [&] {
    RunRequest request = request_in("", "return 1");
    request.client = "flood";
    ++under_way;
    sandbox_.submit(std::move(request), [&](const Outcome&) {
      ++ended;
      if (!over) begin_another();
      --under_way;
    });
  };
  for (int i = 0; i < 40; ++i) begin_another();
  constexpr int kRuns = 10;
  for (int i = 0; i < kRuns; ++i) EXPECT_EQ(sandbox_.run(victims("return 1")).result_json(), "1");
  // Some 70 end meanwhile if clients take turns, and some 1,800 if it waits until none of them needs a guest.
  EXPECT_LT(ended, kRuns * 500);
  over = true;
  while (under_way > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  for (const auto& run : sleeping) run->cancel();
  for (const auto& run : sleeping) run->outcome();
}

TEST_F(SandboxRewind, ASandboxEndsWhileGuestsAreRewound) {
  for (int i = 0; i < 10; ++i) {
    Sandbox sandbox(rewinding());
    std::vector<std::unique_ptr<Pending>> runs;
    for (int j = 0; j < 8; ++j) runs.push_back(std::make_unique<Pending>(sandbox, request_in("a", "return 1")));
    runs[static_cast<std::size_t>(i % 8)]->outcome();
  }
}

TEST(SandboxRewindOptions, HaveNoEffectOnPythonAndOneRun) {
  Sandbox python(rewinding());
  for (int i = 0; i < 2; ++i) {
    RunRequest request = request_in("a", "1 + 1");
    request.language = Language::kPython;
    const Outcome outcome = python.run(std::move(request));
    EXPECT_EQ(code_of(outcome), "ok");
    EXPECT_FALSE(outcome.metrics.rewound);
  }
  SandboxOptions options = rewinding();
  options.one_run = true;
  Sandbox one(options);
  for (int i = 0; i < 2; ++i) EXPECT_FALSE(one.run(request_in("a", "return 1")).metrics.rewound);
}

// What is written to a merged page is seen in neither the page table's words nor the zygote's page.
TEST(SandboxRewindOptions, NeedPagesThatTheKernelDoesNotMerge) {
  // The kernel would go through a sanitizer's shadow of all addresses, for minutes.
  if (base::is_sanitized()) GTEST_SKIP() << "not with a sanitizer";
  constexpr int kMergePages = 67;  // PR_SET_MEMORY_MERGE, since Linux 6.4
  if (::prctl(kMergePages, 1, 0, 0, 0) != 0) GTEST_SKIP() << "the kernel does not merge pages for this user";
  std::vector<std::string> notices;
  SandboxOptions options = rewinding();
  options.on_notice = [&](const std::string& notice) { notices.push_back(notice); };
  {
    Sandbox sandbox(options);
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(sandbox.run(request_in("a", "return 1")).metrics.rewound);
  }
  ::prctl(kMergePages, 0, 0, 0, 0);
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_NE(notices.front().find("merge"), std::string::npos) << notices.front();
}

}  // namespace
}  // namespace glovebox
