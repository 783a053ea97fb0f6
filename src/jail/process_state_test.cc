#include "jail/process_state.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glovebox::jail {
namespace {

TEST(ProcessState, IsThatOfTheMoment) {
  EXPECT_EQ(process_state(::getpid()), 'R');
  const pid_t child = ::fork();
  if (child == 0) {
    while (true) ::pause();
  }
  ASSERT_GT(child, 0);
  while (process_state(child) != 'S') ::usleep(1000);
  ::kill(child, SIGSTOP);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, WUNTRACED), child);
  EXPECT_EQ(process_state(child), 'T');
  ::kill(child, SIGKILL);
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(process_state(child), '\0');
}

}  // namespace
}  // namespace glovebox::jail
