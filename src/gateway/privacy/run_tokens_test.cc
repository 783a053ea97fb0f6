#include "gateway/privacy/run_tokens.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace glovebox::gateway {
namespace {

class RunTokensTest : public testing::Test {
 protected:
  RunTokensTest() {
    char name[] = "/tmp/glovebox-tokens-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~RunTokensTest() override { std::filesystem::remove_all(folder_); }
  std::string text(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string folder_;
};

TEST_F(RunTokensTest, AreSealedAndComeBack) {
  const TokenValues values = {{"<EMAIL_1>", "bob@example.com"}};
  ASSERT_TRUE(RunTokens(folder_).keep("run_1", values));
  EXPECT_EQ(text("tokens-run_1").find("bob"), std::string::npos);
  EXPECT_FALSE(text("tokens-run_1").empty());
  for (const char* name : {"tokens-run_1", "tokens.key"}) {
    struct stat status {};
    ASSERT_EQ(::stat((folder_ + "/" + name).c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0600u) << name;
  }
  EXPECT_EQ(RunTokens(folder_).load("run_1"), values);
  RunTokens(folder_).drop("run_1");
  EXPECT_TRUE(RunTokens(folder_).load("run_1").empty());
}

TEST_F(RunTokensTest, AreNobodyElses) {
  ASSERT_TRUE(RunTokens(folder_).keep("run_1", {{"<EMAIL_1>", "bob@example.com"}}));
  // Another run's file in its place, a changed one, another key.
  std::filesystem::copy_file(folder_ + "/tokens-run_1", folder_ + "/tokens-run_2");
  EXPECT_TRUE(RunTokens(folder_).load("run_2").empty());
  std::string sealed = text("tokens-run_1");
  sealed[sealed.size() / 2] = sealed[sealed.size() / 2] == 'A' ? 'B' : 'A';
  std::ofstream(folder_ + "/tokens-run_3") << sealed;
  EXPECT_TRUE(RunTokens(folder_).load("run_3").empty());
  std::filesystem::remove(folder_ + "/tokens.key");
  EXPECT_TRUE(RunTokens(folder_).load("run_1").empty());
}

TEST_F(RunTokensTest, LeaveNothingWhereThereIsNothing) {
  ASSERT_TRUE(RunTokens(folder_).keep("run_1", {}));
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  EXPECT_TRUE(RunTokens(folder_).load("run_1").empty());
}

}  // namespace
}  // namespace glovebox::gateway
