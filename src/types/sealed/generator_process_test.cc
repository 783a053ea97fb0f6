#include "types/sealed/generator_process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <seccomp.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <optional>
#include <thread>
#include <vector>

#include "jail/confinement/refused_calls_fixture.h"
#include "jail/zygote_protocol.h"
#include "types/part_check.h"
#include "types/schema/translate.h"
#include "types/sealed/generator_limits.h"
#include "types/sealed/probe_fixture.h"

namespace glovebox::types {
namespace {

using namespace std::chrono_literals;

std::optional<GeneratorProcess> start_probe(std::uint32_t missing_layers = 0) {
  auto started = GeneratorProcess::start({probe_program(), missing_layers, -1}, in_a_minute());
  EXPECT_TRUE(started) << started.failure().message;
  return started ? std::optional(std::move(started).value()) : std::nullopt;
}

TEST(GeneratorProcess, AnswersAsTheTranslationDoes) {
  auto started = GeneratorProcess::start({base::program_part("glovebox-types"), 0, -1}, in_a_minute());
  ASSERT_TRUE(started) << started.failure().message;
  for (const PartKind kind : {PartKind::kCompact, PartKind::kFull, PartKind::kPython}) {
    PartQuestion question;
    question.kind = kind;
    question.prefix = kind == PartKind::kPython ? "_s_t" : "$s$t$";
    // Not UTF-8, not JSON, deep, large: read by the same code, but for what base takes from simdjson.
    const std::string large = R"({"enum":[")" + std::string(1 << 19, 'x') + R"("]})";
    for (const std::string& schema :
         {std::string(R"({"properties":{"ä":{"type":"string","description":"größer"}}})"), std::string("{"),
          std::string("{\"a\":\"\xc3\"}"), std::string("{\"a\":\"\xef\xbf\xbd\"}"), std::string("\xed\xa0\x80"),
          std::string(200, '['), large}) {
      question.input_schema = question.output_schema = schema;
      const auto answer = started->ask(encode(question), in_a_minute());
      ASSERT_TRUE(answer) << answer.failure().message;
      EXPECT_EQ(*answer, encode(translate(question)));
    }
  }
}

TEST(GeneratorProcess, ADeadOneIsNoticed) {
  for (const char* order : {"die", "exit", "eat"}) {
    auto probe = start_probe();
    ASSERT_TRUE(probe);
    EXPECT_TRUE(probe->ask(order_to_probe("other"), in_a_minute()));
    EXPECT_FALSE(probe->ask(order_to_probe(order), in_a_minute())) << order;
    EXPECT_FALSE(probe->ask(order_to_probe("other"), in_a_minute())) << "after " << order;
  }
}

TEST(GeneratorProcess, AHangingOneIsGivenUp) {
  auto probe = start_probe();
  ASSERT_TRUE(probe);
  const auto answer = probe->ask(order_to_probe("hang"), std::chrono::steady_clock::now() + 50ms);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.failure().message, "the type generator took too long");
}

TEST(GeneratorProcess, AWaitEndsWhenTheGatewayCloses) {
  const base::UniqueFd stop(::eventfd(1, EFD_CLOEXEC));
  const auto started = GeneratorProcess::start({probe_program(), 0, stop.get()}, in_a_minute());
  ASSERT_FALSE(started);
  EXPECT_EQ(started.failure().message, "the type generator is being closed");
}

TEST(GeneratorProcess, AnAnswerIsBounded) {
  auto probe = start_probe();
  ASSERT_TRUE(probe);
  const auto largest = probe->ask(order_to_probe("repeat", std::to_string(kMostAnswerBytes)), in_a_minute());
  ASSERT_TRUE(largest) << largest.failure().message;
  EXPECT_EQ(largest->size(), kMostAnswerBytes);
  const auto larger = probe->ask(order_to_probe("repeat", std::to_string(kMostAnswerBytes + 1)), in_a_minute());
  ASSERT_FALSE(larger);
  EXPECT_EQ(larger.failure().code, ErrorCode::kProtocol);
}

// Even with both of the layers missing that the owner may go without, the filter remains.
TEST(GeneratorProcess, RunsWithoutLayersThatTheOwnerAccepts) {
  auto probe = start_probe(jail::kWithoutNamespaces | jail::kWithoutLandlock | jail::kWithoutTimestampTrap);
  ASSERT_TRUE(probe);
  EXPECT_TRUE(probe->ask(order_to_probe("other"), in_a_minute()));
  EXPECT_FALSE(probe->ask(order_to_probe("call", "257 -100 /etc/passwd 0"), in_a_minute()));
}

TEST(GeneratorProcess, SaysWhatIsMissing) {
  const auto started = GeneratorProcess::start({base::program_part("no-such-program"), 0, -1}, in_a_minute());
  ASSERT_FALSE(started);
  EXPECT_NE(started.failure().message.find("no-such-program"), std::string::npos) << started.failure().message;
}

TEST(GeneratorProcess, DiesWithItsThread) {
  std::optional<GeneratorProcess> probe;
  std::thread([&] { probe = start_probe(); }).join();
  ASSERT_TRUE(probe);
  EXPECT_TRUE(WIFSIGNALED(probe->reap()));
}

// If the kernel refuses a step, no question is asked, and the error names the step.
TEST(GeneratorProcess, IsNotStartedWhenAStepFails) {
  const struct {
    int call;
    std::vector<scmp_arg_cmp> when;
    const char* named;
  } refusals[] = {
      {SCMP_SYS(rt_sigprocmask), {}, "session: "},
      {SCMP_SYS(close_range), {}, "descriptors: "},
      {SCMP_SYS(execveat), {}, "starting the program: "},
      {SCMP_SYS(keyctl), {}, "keys-and-names: join an empty keyring: "},
      {SCMP_SYS(pivot_root), {}, "empty-root: pivot_root: "},
      {SCMP_SYS(prlimit64), {SCMP_A1_64(SCMP_CMP_EQ, RLIMIT_DATA)}, "rlimits: "},
      {SCMP_SYS(prctl), {SCMP_A0_64(SCMP_CMP_EQ, PR_SET_NO_NEW_PRIVS)}, "no-new-privileges: "},
      {SCMP_SYS(capset), {}, "capabilities: "},
      {SCMP_SYS(prctl), {SCMP_A0_64(SCMP_CMP_EQ, PR_SET_TSC)}, "timestamp-counter: "},
      {SCMP_SYS(prctl), {SCMP_A0_64(SCMP_CMP_EQ, PR_SET_PDEATHSIG)}, "die-with-gateway: "},
      {SCMP_SYS(prlimit64), {SCMP_A1_64(SCMP_CMP_EQ, RLIMIT_NOFILE)}, "only-the-socket: "},
      {SCMP_SYS(landlock_restrict_self), {}, "landlock: "},
      {SCMP_SYS(prlimit64), {SCMP_A1_64(SCMP_CMP_EQ, RLIMIT_NPROC)}, "nothing-new: "},
      {SCMP_SYS(seccomp), {SCMP_A0_64(SCMP_CMP_EQ, 1)}, "seccomp: "},
  };
  for (const auto& refused : refusals) {
    const std::string text = jail::said_in_a_child([&]() -> std::string {
      if (!jail::refuse(refused.call, refused.when)) return "the test could not be made";
      const auto started = GeneratorProcess::start({probe_program(), 0, -1}, in_a_minute());
      return started ? "started" : started.failure().message;
    });
    EXPECT_EQ(text,
              "the type generator could not be sealed: " + std::string(refused.named) + "Operation not permitted");
  }
}

}  // namespace
}  // namespace glovebox::types
