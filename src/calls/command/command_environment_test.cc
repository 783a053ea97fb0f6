#include "calls/command/command_environment.h"

#include <gtest/gtest.h>

namespace glovebox::calls {
namespace {

using Lines = std::vector<std::string>;
using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST(CommandEnvironment, IsWhatIsGranted) {
  const Environment ours = {
      {"HOME", "/home/a"}, {"APP_A", "1"}, {"APP_B", "2"}, {"SECRET", "s"}, {"LD_PRELOAD", "x.so"}};
  const struct {
    std::vector<std::string> grants;
    bool clear;
    Pairs set;
    Lines expected;
  } cases[] = {
      {{}, false, {}, {}},
      {{"HOME"}, false, {}, {"HOME=/home/a"}},
      {{"HOME", "GONE"}, false, {}, {"HOME=/home/a"}},
      {{"APP_*"}, false, {}, {"APP_A=1", "APP_B=2"}},
      {{"*"}, false, {}, {"APP_A=1", "APP_B=2", "HOME=/home/a", "SECRET=s"}},
      {{"*", "LD_PRELOAD"}, false, {}, {"APP_A=1", "APP_B=2", "HOME=/home/a", "LD_PRELOAD=x.so", "SECRET=s"}},
      {{"LD_*"}, false, {}, {}},
      {{"HOME"}, true, {}, {}},
      {{"HOME", "NEW"}, true, {{"NEW", "n"}}, {"NEW=n"}},
      {{"HOME", "NEW"}, false, {{"NEW", "n=m"}, {"HOME", ""}}, {"HOME=", "NEW=n=m"}},
      {{"NEW"}, false, {{"NEW", "1"}, {"NEW", "2"}}, {"NEW=2"}},
  };
  for (const auto& item : cases) {
    CommandRequest request;
    request.clear_environment = item.clear;
    request.environment = item.set;
    const auto block = command_environment(ours, policy::EnvGrants::parse(item.grants).value(), request);
    ASSERT_TRUE(block.ok()) << block.failure().message;
    EXPECT_EQ(block.value(), item.expected);
  }
}

TEST(CommandEnvironment, LetsTheGuestSetOnlyWhatIsNamedInFull) {
  const struct {
    std::vector<std::string> grants;
    const char* name;
    const char* says;
  } cases[] = {
      {{}, "A", "Requires env access to \"A\""},
      {{"B"}, "A", "Requires env access to \"A\""},
      {{"*"}, "LD_PRELOAD", "Requires env access to \"LD_PRELOAD\" by its full name, to set it for a command"},
      {{"GIT_*"},
       "GIT_SSH_COMMAND",
       "Requires env access to \"GIT_SSH_COMMAND\" by its full name, to set it for a command"},
      {{"*"}, "", "Requires env access to \"\" by its full name, to set it for a command"},
      {{"A"}, "A=B", "Requires env access to \"A=B\""},
  };
  for (const auto& item : cases) {
    CommandRequest request;
    request.environment = {{item.name, "x"}};
    const auto block = command_environment({}, policy::EnvGrants::parse(item.grants).value(), request);
    ASSERT_FALSE(block.ok()) << item.name;
    EXPECT_EQ(block.failure().kind, CommandError::Kind::kDenied);
    EXPECT_EQ(block.failure().message, item.says);
  }
}

TEST(CommandEnvironment, RefusesAValueThatWouldBeCut) {
  CommandRequest request;
  request.program = "env";
  request.environment = {{"A", std::string("x\0y", 3)}};
  const auto block = command_environment({}, policy::EnvGrants::parse({"A"}).value(), request);
  ASSERT_FALSE(block.ok());
  EXPECT_EQ(block.failure().kind, CommandError::Kind::kInvalid);
  EXPECT_EQ(block.failure().message, "Failed to spawn 'env': nul byte found in provided data");
}

TEST(CommandEnvironment, CopiesABlock) {
  const char* const block[] = {"A=1", "B=x=y", "C=", "no value", "=C:=odd", "A=second", nullptr};
  EXPECT_EQ(copy_environment(block), (Environment{{"A", "1"}, {"B", "x=y"}, {"C", ""}}));
}

}  // namespace
}  // namespace glovebox::calls
