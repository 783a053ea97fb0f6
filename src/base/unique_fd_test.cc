#include "base/unique_fd.h"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <type_traits>

namespace glovebox::base {
namespace {

static_assert(!std::is_copy_constructible_v<UniqueFd> && !std::is_copy_assignable_v<UniqueFd>,
              "two owners would close the descriptor twice");

int open_null() {
  return ::open("/dev/null", O_RDONLY | O_CLOEXEC);
}
bool is_open(int fd) {
  return ::fcntl(fd, F_GETFD) >= 0;
}

TEST(UniqueFd, HoldsNothingByDefault) {
  const UniqueFd none;
  EXPECT_FALSE(none.valid());
  EXPECT_EQ(none.get(), -1);
}

TEST(UniqueFd, ClosesAtTheEndOfItsLife) {
  const int fd = open_null();
  {
    const UniqueFd owner(fd);
    EXPECT_TRUE(owner.valid());
    EXPECT_TRUE(is_open(fd));
  }
  EXPECT_FALSE(is_open(fd));
}

TEST(UniqueFd, MovesWithoutClosing) {
  const int fd = open_null();
  UniqueFd first(fd);
  UniqueFd second(std::move(first));
  EXPECT_FALSE(first.valid());  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(second.get(), fd);
  EXPECT_TRUE(is_open(fd));
}

TEST(UniqueFd, AssignmentClosesWhatWasHeld) {
  const int old_fd = open_null();
  const int new_fd = open_null();
  UniqueFd owner(old_fd);
  owner = UniqueFd(new_fd);
  EXPECT_FALSE(is_open(old_fd));
  EXPECT_EQ(owner.get(), new_fd);
  EXPECT_TRUE(is_open(new_fd));
}

TEST(UniqueFd, SurvivesAssignmentToItself) {
  const int fd = open_null();
  UniqueFd owner(fd);
  UniqueFd& same = owner;
  owner = std::move(same);
  EXPECT_EQ(owner.get(), fd);
  EXPECT_TRUE(is_open(fd));
}

TEST(UniqueFd, ReleaseGivesTheDescriptorAway) {
  const int fd = open_null();
  UniqueFd owner(fd);
  EXPECT_EQ(owner.release(), fd);
  EXPECT_FALSE(owner.valid());
  EXPECT_TRUE(is_open(fd));
  ::close(fd);
}

TEST(UniqueFd, ResetClosesAndTakesOver) {
  const int old_fd = open_null();
  const int new_fd = open_null();
  UniqueFd owner(old_fd);
  owner.reset(new_fd);
  EXPECT_FALSE(is_open(old_fd));
  EXPECT_EQ(owner.get(), new_fd);
  owner.reset();
  EXPECT_FALSE(is_open(new_fd));
  EXPECT_FALSE(owner.valid());
}

}  // namespace
}  // namespace glovebox::base
