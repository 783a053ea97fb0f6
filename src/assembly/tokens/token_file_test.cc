#include "assembly/tokens/token_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>

#include "base/whole_file.h"

namespace glovebox::assembly {
namespace {

class TokenFileTest : public testing::Test {
 protected:
  TokenFileTest() {
    char name[] = "/tmp/glovebox-token-XXXXXX";
    folder_ = ::mkdtemp(name);
  }
  ~TokenFileTest() override { std::filesystem::remove_all(folder_); }

  std::string folder_;
};

TEST_F(TokenFileTest, IsForItsOwnerAlone) {
  ::umask(0);
  const auto file = TokenFile::write(folder_, 7777, "secret");
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->path(), folder_ + "/http-7777.token");
  struct stat status {};
  ASSERT_EQ(::stat(file->path().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
  EXPECT_EQ(base::read_whole_file(file->path(), 100).value(), "secret\n");
}

// One that was made readable to others, or leads elsewhere, gets no token.
TEST_F(TokenFileTest, ReplacesWhatIsThere) {
  const std::string path = folder_ + "/http-7777.token";
  std::ofstream(path) << "old";
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  struct stat status {};
  {
    const auto file = TokenFile::write(folder_, 7777, "secret");
    ASSERT_TRUE(file.ok());
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 07777, 0600u);
  }
  ASSERT_EQ(::symlink((folder_ + "/elsewhere").c_str(), path.c_str()), 0);
  const auto file = TokenFile::write(folder_, 7777, "secret");
  ASSERT_TRUE(file.ok());
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/elsewhere"));
}

TEST_F(TokenFileTest, GoesWithItsGateway) {
  std::optional<TokenFile> kept;
  {
    auto file = TokenFile::write(folder_, 1, "secret");
    ASSERT_TRUE(file.ok());
    kept.emplace(std::move(file).value());
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ + "/http-1.token")) << "it was moved";
  kept.reset();
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/http-1.token"));
  EXPECT_FALSE(TokenFile::write(folder_ + "/none", 1, "secret").ok());
}

}  // namespace
}  // namespace glovebox::assembly
