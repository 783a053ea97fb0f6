// E13: a guest that serves several runs of one conversation is made what it was before each of them, or dies, whatever
// native code in it does. docs/decisions/12-rewind.md has the argument.
#include <gtest/gtest.h>

#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>

#include "base/proving.h"
#include "base/text/json_builder.h"
#include "oracle/eventually.h"
#include "oracle/process_view.h"
#include "oracle/testbed.h"
#include "own_sandbox.h"
#include "rewind/native_code.h"
#include "rewind/whole_guest.h"

namespace glovebox::attack {
namespace {

constexpr const char* kDone = R"({"frame":"done","result":"attacked","used":[]})";
constexpr const char* kLog = R"({"frame":"log","level":"log","text":"here"})";
constexpr const char* kRunNative = "native(Uint8Array.fromHex(context.code)); return 'not reached'";

std::string hex_of(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const char byte : bytes) {
    text += kDigits[static_cast<unsigned char>(byte) >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

class Rewind : public testing::Test {
 protected:
  void start(std::size_t pool_size = 1) {
    own_.emplace(GuestKind::kProbe, pool_size, Reuse::kRewind);
    guest_ = own_->only_guest();
    before_.emplace(guest_);
  }

  static RunRequest request(const std::string& code, const std::string& context = "{}") {
    RunRequest request;
    request.code = code;
    request.language = Language::kJavaScript;
    request.context_json = context;
    request.client = "client";
    request.conversation = "conversation";
    request.config.timeout = std::chrono::seconds(60);
    return request;
  }

  // Of a run that ends as its code wants.
  std::string result_of(RunRequest request) {
    const auto outcome = run_to_end(own_->sandbox(), std::move(request));
    if (!outcome || !outcome->ok()) return outcome ? to_json(*outcome) : "no outcome";
    EXPECT_TRUE(own_->sandbox().wait_until_warm().ok());
    return outcome->result_json();
  }
  std::string attack(const std::string& code) { return result_of(request(code)); }
  std::string attack_natively(const std::string& code) {
    return result_of(request(kRunNative, base::ObjectText().text("code", hex_of(code)).done()));
  }

  bool is_alive() { return attack::is_alive(guest_); }
  // The guest is still there, and nothing about it has changed.
  void expect_unchanged() {
    ASSERT_TRUE(is_alive());
    EXPECT_EQ(before_->difference(WholeGuest(guest_)), "");
    EXPECT_EQ(result_of(request("return 6 * 7")), "42");
  }
  // Nothing: it is dead, or about to be.
  std::optional<WholeGuest> settled() {
    try {
      return WholeGuest(guest_);
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }
  void expect_dead() {
    EXPECT_TRUE(eventually([&] { return !is_alive(); }));
    EXPECT_EQ(result_of(request("return 6 * 7")), "42");
  }

  std::optional<OwnSandbox> own_;
  pid_t guest_ = 0;
  std::optional<WholeGuest> before_;
};

TEST_F(Rewind, E13_AnHonestRunLeavesNothing) {
  start();
  EXPECT_EQ(attack("globalThis.left = 'here'; Array.prototype.left = 1; return [1, 2, 3].map((n) => n * 2).join()"),
            "\"2,4,6\"");
  expect_unchanged();
  const auto outcome = run_to_end(own_->sandbox(), request("return [typeof left, [].left ?? null]"));
  ASSERT_TRUE(outcome && outcome->ok());
  EXPECT_EQ(outcome->result_json(), R"(["undefined",null])");
  EXPECT_TRUE(outcome->metrics.rewound);
}

// Every byte of each page that the guest has for itself, and every register that code can change. It never stops.
TEST_F(Rewind, E13_TrashedPagesAndRegistersArePutBack) {
  start();
  const auto pages = before_->own_pages();
  ASSERT_GT(pages.size(), 20u);
  EXPECT_EQ(attack_natively(trash_everything(pages, before_->restartable(), kDone)), "\"attacked\"");
  expect_unchanged();
}

// Tracers cannot set all the flags that code can: ID stays. AC and NT are put back.
TEST_F(Rewind, E13_FlagsArePutBackOrItsEnd) {
  constexpr std::uint64_t kDirection = 1 << 10, kNested = 1 << 14, kAlignment = 1 << 18, kId = 1 << 21;
  for (const std::uint64_t flags : {kDirection, kNested, kAlignment, kId}) {
    SCOPED_TRACE(flags);
    start();
    EXPECT_EQ(attack_natively(end_with_flags(kDone, flags)), "\"attacked\"");
    settled() ? expect_unchanged() : expect_dead();
    own_.reset();
  }
}

// Pages that it shared with the zygote until it wrote to them.
TEST_F(Rewind, E13_PagesThatWereSharedArePutBack) {
  start();
  const auto pages = before_->shared_pages();
  ASSERT_GT(pages.size(), 150u);
  std::vector<std::uintptr_t> some;
  for (std::size_t i = 0; i < 150; ++i) some.push_back(pages[i * pages.size() / 150]);
  EXPECT_EQ(attack_natively(trash_everything(some, before_->restartable(), kDone)), "\"attacked\"");
  expect_unchanged();
}

TEST_F(Rewind, E13_TooManyPagesAreItsEnd) {
  start();
  const auto pages = before_->shared_pages();
  if (pages.size() < 600) GTEST_SKIP() << "a guest has only " << pages.size() << " writable pages here";
  EXPECT_EQ(attack_natively(trash_everything({pages.begin(), pages.begin() + 600}, before_->restartable(), kDone)),
            "\"attacked\"");
  expect_dead();
}

TEST_F(Rewind, E13_AGuestThatComputesOnIsPutBack) {
  start();
  EXPECT_EQ(attack("syscall(1, 3, Uint8Array.fromHex('" + hex_of(std::string("\x2e\0\0\0", 4) + kDone) +
                   "'), 50); for (;;) {}"),
            "\"attacked\"");
  expect_unchanged();
}

// Any change of its address space, before or after the end of its run.
struct Call {
  const char* what;
  long number;
  std::uint64_t words[5];
};
constexpr std::uint64_t kNowhere = 0x10000000;
const Call kCalls[] = {
    {"mmap", SYS_mmap, {kNowhere, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, ~0ull}},
    {"munmap", SYS_munmap, {kNowhere, 4096}},
    {"mremap", SYS_mremap, {kNowhere, 4096, 8192}},
    {"mprotect", SYS_mprotect, {kNowhere, 4096, PROT_READ}},
    {"brk", SYS_brk, {}},
    {"madvise", SYS_madvise, {kNowhere, 4096, MADV_DONTNEED}},
};

TEST_F(Rewind, E13_AChangedAddressSpaceIsItsEnd) {
  for (const Call& call : kCalls) {
    SCOPED_TRACE(call.what);
    start();
    std::string code = "syscall(" + std::to_string(call.number);
    for (const std::uint64_t word : call.words) code += ", " + std::to_string(word) + "n";
    EXPECT_EQ(attack(code + "); return 'attacked'"), "\"attacked\"");
    expect_dead();
    own_.reset();
  }
}

// The call races with the moment in which the guest is stopped.
TEST_F(Rewind, E13_AChangeAfterTheEndIsItsEndOrNeverMade) {
  std::size_t unchanged = 0;
  for (int attempt = 0; attempt < (base::is_proving() ? 500 : 3); ++attempt) {
    for (const Call& call : kCalls) {
      SCOPED_TRACE(call.what);
      if (!own_) start();
      const auto& words = call.words;
      EXPECT_EQ(attack_natively(end_and_call(kDone, call.number, words[0], words[1], words[2], words[3], words[4])),
                "\"attacked\"");
      const auto after = settled();
      if (after && ++unchanged) {
        EXPECT_EQ(before_->difference(*after), "");
      } else {
        expect_dead();
        own_.reset();
      }
    }
  }
  RecordProperty("unchanged", static_cast<int>(unchanged));
}

// The gateway allows each of them, which takes it longer than the guest.
TEST_F(Rewind, E13_AFloodOfChangesCostsTheGatewayLittle) {
  start();
  const std::string flood = end_and_call(kLog, SYS_madvise, kNowhere, 4096, MADV_DONTNEED);
  RunRequest hostile = request(kRunNative, base::ObjectText().text("code", hex_of(flood)).done());
  hostile.config.timeout = std::chrono::seconds(2);
  const auto cpu_time = [] {
    timespec used{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return std::chrono::seconds(used.tv_sec) + std::chrono::nanoseconds(used.tv_nsec);
  };
  const auto before = cpu_time();
  const auto outcome = run_to_end(own_->sandbox(), std::move(hostile));
  const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(cpu_time() - before);
  ASSERT_TRUE(outcome && outcome->error());
  ASSERT_EQ(outcome->logs.size(), 1u) << to_json(*outcome);
  EXPECT_LT(used, std::chrono::milliseconds(500)) << to_json(*outcome);
  expect_dead();
}

TEST_F(Rewind, E13_WhatIsInItsSocketIsItsEnd) {
  const std::string frame = std::string("\x2e\0\0\0", 4) + kDone;
  for (const std::string& more : {std::string("x"), frame, std::string(70'000, 'x')}) {
    start();
    EXPECT_EQ(attack("const all = Uint8Array.fromHex('" + hex_of(frame + more) +
                     "'); for (let at = 0; at < all.length;) at += syscall(1, 3, all.subarray(at), all.length - at);"
                     "for (;;) {}"),
              "\"attacked\"");
    expect_dead();
    own_.reset();
  }
}

// It goes on writing, so that something may arrive before it is stopped.
TEST_F(Rewind, E13_WritingOnIsItsEndOrPutBack) {
  for (int attempt = 0; attempt < 20; ++attempt) {
    start();
    EXPECT_EQ(attack_natively(end_and_call(kDone, SYS_write, 3, before_->own_pages().front(), 1)), "\"attacked\"");
    settled() ? expect_unchanged() : expect_dead();
    own_.reset();
  }
}

// When the run is over, and before the guest is stopped.
TEST_F(Rewind, E13_AByteAfterTheEndIsItsEndOrNeverSent) {
  for (std::uint64_t turns = 20'000; turns < 1'200'000; turns += 60'000) {
    SCOPED_TRACE(turns);
    if (!own_) start();
    EXPECT_EQ(attack_natively(end_and_write_later(kDone, turns)), "\"attacked\"");
    if (settled()) {
      expect_unchanged();
    } else {
      expect_dead();
      own_.reset();
    }
  }
}

// It waits for the next run with a buffer of its own.
TEST_F(Rewind, E13_ReadingOnGetsNothing) {
  start();
  EXPECT_EQ(attack_natively(end_and_call(kDone, SYS_read, 3, before_->own_pages().front(), 4096)), "\"attacked\"");
  expect_unchanged();
}

TEST_F(Rewind, E13_AGrownStackIsItsEnd) {
  start();
  EXPECT_EQ(attack("const down = (n) => n === 0 ? 0 : 1 + down(n - 1); down(7000); return 'attacked'"), "\"attacked\"");
  expect_dead();
}

// Without any call, and without many pages: the kernel makes it larger where it is written to.
TEST_F(Rewind, E13_AStackThatGrewByAPageIsItsEnd) {
  start();
  const std::string mappings = read_proc(guest_, "maps");
  const std::size_t line = mappings.rfind('\n', mappings.find("[stack]")) + 1;
  const std::uintptr_t below = std::stoul(mappings.substr(line), nullptr, 16) - 4096;
  EXPECT_EQ(attack_natively(trash_everything({below}, before_->restartable(), kDone)), "\"attacked\"");
  expect_dead();
}

// The kernel continues it at an address that it chose, if it is interrupted.
TEST_F(Rewind, E13_ARestartableSequenceIsPutBack) {
  start();
  if (before_->restartable() == 0) GTEST_SKIP() << "guests have not registered for restartable sequences";
  for (int attempt = 0; attempt < 20 && is_alive(); ++attempt) {
    EXPECT_EQ(
        attack_natively(end_in_a_restartable_sequence(kDone, before_->restartable(), before_->restartable_signature())),
        "\"attacked\"");
  }
  // Continued there it writes, which may come before it is held.
  settled() ? expect_unchanged() : expect_dead();
}

// That of a fault would end the next run, if the guest is held just before it arrives. This one is blocked, so it
// stays.
TEST_F(Rewind, E13_APendingSignalIsItsEnd) {
  start();
  ASSERT_EQ(::syscall(SYS_tgkill, guest_, guest_, SIGCHLD), 0);
  EXPECT_EQ(attack("return 'attacked'"), "\"attacked\"");
  expect_dead();
}

TEST_F(Rewind, E13_FailuresAndLimitsAreItsEnd) {
  for (const char* code : {"throw new Error('no')", "crash()", "syscall(39, 0); syscall(57); return 1",
                           "const n = new Uint8Array(64 << 20).fill(1); return n.length", "for (;;) {}"}) {
    SCOPED_TRACE(code);
    start();
    RunRequest hostile = request(code);
    if (std::string(code) == "for (;;) {}") hostile.config.timeout = std::chrono::milliseconds(300);
    (void)run_to_end(own_->sandbox(), std::move(hostile));
    expect_dead();
    own_.reset();
  }
}

TEST_F(Rewind, E13_ALongRunIsItsEnd) {
  start();
  EXPECT_EQ(attack("let n = 0; for (let i = 0; i < 6e8; ++i) n ^= i; return n === 1 ? 1 : 'attacked'"), "\"attacked\"");
  expect_dead();
}

// Once more what the issue of this design asks for: many rewinds, none of which leaves a difference.
TEST_F(Rewind, E13_ManyRewindsLeaveNoDifference) {
  start();
  const std::string trash = trash_everything(before_->own_pages(), before_->restartable(), kDone);
  const std::string context = base::ObjectText().text("code", hex_of(trash)).done();
  const int rounds = base::is_proving() ? 1'000'000 : 1'000;
  for (int round = 0; round < rounds; ++round) {
    if (round % 4 == 0) {
      ASSERT_EQ(result_of(request(kRunNative, context)), "\"attacked\"") << round;
    } else {
      ASSERT_EQ(result_of(request("return [" + std::to_string(round) + "].concat(typeof left)")),
                "[" + std::to_string(round) + ",\"undefined\"]");
    }
    ASSERT_TRUE(is_alive()) << round;
    if (round % (rounds / 100) == 0) ASSERT_EQ(before_->difference(WholeGuest(guest_)), "") << round;
  }
  expect_unchanged();
}

}  // namespace
}  // namespace glovebox::attack
