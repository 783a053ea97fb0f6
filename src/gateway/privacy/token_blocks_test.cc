#include "gateway/privacy/token_blocks.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>
#include <thread>
#include <vector>

namespace glovebox::gateway {
namespace {

class TokenBlocks : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string folder = ::testing::TempDir() + "token-blocks-XXXXXX";
    ASSERT_NE(::mkdtemp(folder.data()), nullptr);
    folder_ = folder;
  }
  std::string folder_;
};

TEST_F(TokenBlocks, FollowOneAnother) {
  EXPECT_EQ(take_token_block(folder_, 100), 0u);
  EXPECT_EQ(take_token_block(folder_, 5), 100u);
  EXPECT_EQ(take_token_block(folder_, 5), 105u);
}

TEST_F(TokenBlocks, AreTakenOnceByAll) {
  std::vector<std::vector<std::size_t>> taken(4);
  {
    std::vector<std::jthread> gateways;
    for (auto& mine : taken)
      gateways.emplace_back([&] {
        for (int i = 0; i < 50; ++i) mine.push_back(take_token_block(folder_, 10));
      });
  }
  std::set<std::size_t> all;
  for (const auto& mine : taken) all.insert(mine.begin(), mine.end());
  EXPECT_EQ(all.size(), 200u);
  EXPECT_EQ(*all.rbegin(), 1990u);
}

TEST_F(TokenBlocks, AreAtARandomPlaceWithoutAFileThatSaysMore) {
  for (const char* text : {"x", "-5", "7\n", "99999999999999999999999", "2000000000000"}) {
    std::ofstream(folder_ + "/token-numbers") << text;
    const std::size_t one = take_token_block(folder_, 10);
    EXPECT_GE(one, 1'000'000'000'000u) << text;
    EXPECT_NE(one, take_token_block(folder_, 10)) << text;
  }
  EXPECT_GE(take_token_block(folder_ + "/missing", 10), 1'000'000'000'000u);
  ASSERT_EQ(::mkdir((folder_ + "/other").c_str(), 0700), 0);
  ASSERT_EQ(::symlink("/dev/null", (folder_ + "/other/token-numbers").c_str()), 0);
  EXPECT_GE(take_token_block(folder_ + "/other", 10), 1'000'000'000'000u);
}

}  // namespace
}  // namespace glovebox::gateway
