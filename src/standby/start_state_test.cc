#include "standby/start_state.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glovebox::standby {
namespace {

TEST(StartState, IsThatOfAForkToo) {
  const std::string own = start_state(::getpid());
  ASSERT_FALSE(own.empty());
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_EQ(start_state(pid), own);
  ::kill(pid, SIGKILL);
  ::waitpid(pid, nullptr, 0);
}

TEST(StartState, IsUnknownOfAProcessThatIsGone) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  ::waitpid(pid, nullptr, 0);
  EXPECT_EQ(start_state(pid), "");
}

TEST(StartState, IsUnknownOfAZombie) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  siginfo_t end;
  ::waitid(P_PID, static_cast<id_t>(pid), &end, WEXITED | WNOWAIT);
  EXPECT_EQ(start_state(pid), "");
  ::waitpid(pid, nullptr, 0);
}

}  // namespace
}  // namespace glovebox::standby
