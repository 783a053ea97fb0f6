#include "store/database/writer_turn.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

namespace glovebox::store {
namespace {

class WriterTurnTest : public testing::Test {
 protected:
  WriterTurnTest() { std::filesystem::create_directory(folder_); }
  ~WriterTurnTest() override { std::filesystem::remove_all(folder_); }
  WriterTurns open() { return WriterTurns::open(path_).value(); }

  std::string folder_ = testing::TempDir() + "/writer-turn-" + std::to_string(::getpid());
  std::string path_ = folder_ + "/turn";
};

TEST_F(WriterTurnTest, IsForItsOwnerAlone) {
  open();
  struct stat status {};
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600u);
}

TEST_F(WriterTurnTest, OneComesAfterTheOther) {
  WriterTurns one = open(), other = open();
  { const auto turn = one.wait_for_turn(); }
  const auto turn = other.wait_for_turn();
  ASSERT_TRUE(turn.ok());
  EXPECT_FALSE(one.take_if_free());
  const auto refused = one.wait_for_turn(2);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.failure().code, ErrorCode::kSystem);  // not kConflict: that is a lost lease
}

TEST_F(WriterTurnTest, OfOneThatDiesIsOver) {
  int said[2];
  ASSERT_EQ(::pipe(said), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    WriterTurns turns = WriterTurns::open(path_).value();
    const auto turn = turns.wait_for_turn();
    (void)!::write(said[1], "x", 1);
    ::pause();
    ::_exit(0);
  }
  char byte;
  ASSERT_EQ(::read(said[0], &byte, 1), 1);
  WriterTurns turns = open();
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_TRUE(turns.wait_for_turn().ok());
  ::close(said[0]);
  ::close(said[1]);
}

}  // namespace
}  // namespace glovebox::store
