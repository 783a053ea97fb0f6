#include "jail/confinement/privileges.h"

#include <gtest/gtest.h>
#include <linux/keyctl.h>
#include <sched.h>
#include <seccomp.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>

#include "jail/confinement/refused_calls_fixture.h"

namespace glovebox::jail {
namespace {

// What `work` returns in a child process, whose state it may change.
int exit_code_of(int (*work)()) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool finds_the_canary() {
  return ::syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING, "user", "glovebox-canary", 0) >= 0;
}

TEST(PrivilegesTest, TheOwnersKeysStayBehind) {
  EXPECT_EQ(exit_code_of([] {
              // The test's own keyring, so that no other is touched.
              if (::syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, nullptr) < 0) return 2;
              if (::syscall(SYS_add_key, "user", "glovebox-canary", "x", 1, KEY_SPEC_SESSION_KEYRING) < 0) return 3;
              if (!finds_the_canary()) return 4;
              if (::unshare(CLONE_NEWUSER | CLONE_NEWUTS) != 0) return 5;
              const char* failed_step = nullptr;
              if (!leave_keys_and_names(true, failed_step)) return 6;
              return finds_the_canary() ? 7 : 0;
            }),
            0)
      << "7: the key is still there; others: the test could not be made";
}

// As in a Podman container.
TEST(PrivilegesTest, ANameThatAContainerDoesNotLetUsSetStaysAsItIs) {
  EXPECT_EQ(exit_code_of([] {
              if (::unshare(CLONE_NEWUSER | CLONE_NEWUTS) != 0) return 5;
              if (!refuse(SCMP_SYS(sethostname))) return 2;
              const char* failed_step = nullptr;
              return leave_keys_and_names(true, failed_step) ? 0 : 6;
            }),
            0);
}

}  // namespace
}  // namespace glovebox::jail
