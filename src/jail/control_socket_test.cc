#include "jail/control_socket.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "base/unique_fd.h"

namespace glovebox::jail {
namespace {

class ControlSocket : public testing::Test {
 protected:
  ControlSocket() {
    int ends[2] = {-1, -1};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends), 0);
    ours_.reset(ends[0]);
    theirs_.reset(ends[1]);
  }

  base::UniqueFd ours_;
  base::UniqueFd theirs_;
};

TEST_F(ControlSocket, KeepsPacketsApart) {
  ASSERT_TRUE(send_packet(ours_.get(), "one", 3, -1));
  ASSERT_TRUE(send_packet(ours_.get(), "three", 5, -1));
  char data[64];
  int fd = 0;
  ASSERT_EQ(receive_packet(theirs_.get(), data, sizeof data, fd), 3);
  EXPECT_EQ(std::string(data, 3), "one");
  EXPECT_EQ(fd, -1);
  ASSERT_EQ(receive_packet(theirs_.get(), data, sizeof data, fd), 5);
  EXPECT_EQ(std::string(data, 5), "three");
}

TEST_F(ControlSocket, PassesADescriptor) {
  const base::UniqueFd file(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  ASSERT_TRUE(send_packet(ours_.get(), "x", 1, file.get()));
  char data[8];
  int received = -1;
  ASSERT_EQ(receive_packet(theirs_.get(), data, sizeof data, received), 1);
  const base::UniqueFd copy(received);
  ASSERT_TRUE(copy.valid());
  EXPECT_NE(copy.get(), file.get());
  struct stat sent {};
  struct stat got {};
  ::fstat(file.get(), &sent);
  ::fstat(copy.get(), &got);
  EXPECT_EQ(sent.st_rdev, got.st_rdev);
  EXPECT_TRUE(::fcntl(copy.get(), F_GETFD) & FD_CLOEXEC) << "it must not leak into an unrelated child";
}

TEST_F(ControlSocket, TellsTheEndOfTheOtherSide) {
  ours_.reset();
  char data[8];
  int fd = 0;
  EXPECT_EQ(receive_packet(theirs_.get(), data, sizeof data, fd), 0);
  EXPECT_EQ(fd, -1);
  EXPECT_FALSE(send_packet(theirs_.get(), "x", 1, -1)) << "and no SIGPIPE";
}

TEST_F(ControlSocket, TellsWhenThereIsNothingYet) {
  char data[8];
  int fd = 0;
  EXPECT_EQ(receive_packet(theirs_.get(), data, sizeof data, fd, MSG_DONTWAIT), -1);
  EXPECT_EQ(errno, EAGAIN);
}

TEST_F(ControlSocket, CarriesAPacketAsLargeAsTheGreeting) {
  const std::string large(60'000, 'g');
  ASSERT_TRUE(send_packet(ours_.get(), large.data(), large.size(), -1));
  std::string received(65'536, '\0');
  int fd = -1;
  ASSERT_EQ(receive_packet(theirs_.get(), received.data(), received.size(), fd), static_cast<ssize_t>(large.size()));
  EXPECT_EQ(received.substr(0, large.size()), large);
}

}  // namespace
}  // namespace glovebox::jail
