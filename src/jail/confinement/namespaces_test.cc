#include "jail/confinement/namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "base/unique_fd.h"
#include "jail/confinement/privileges.h"

namespace glovebox::jail {
namespace {

int exit_of(pid_t child) {
  int status = 0;
  if (::waitpid(child, &status, __WALL) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

// What `test` returns in a child process; 0: it holds.
template <typename Test>
int exits_with(Test test) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(test());
  return exit_of(child);
}

// From then on this process can make no user namespace, and has every right in its own one.
bool forbid_user_namespaces() {
  if (::unshare(CLONE_NEWUSER) != 0) return false;
  const base::UniqueFd most(::open("/proc/sys/user/max_user_namespaces", O_WRONLY | O_CLOEXEC));
  return most.valid() && ::write(most.get(), "0", 1) == 1;
}

int clone_and_expect(bool root, NamespacesBy expected) {
  NamespacesBy by{};
  const long child = clone_into_namespaces(kAllNamespaces, root, nullptr, by);
  if (child == 0) ::_exit(::getpid() == 1 && by == expected ? 0 : 3);
  return child < 0 ? 2 : exit_of(static_cast<pid_t>(child));
}

std::string own_status(const char* name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(std::string(name) + ":\t")) return line.substr(std::string(name).size() + 2);
  return "";
}

TEST(Namespaces, AreMadeByAUserNamespaceWhereThatIsAllowed) {
  EXPECT_EQ(exits_with([] { return clone_and_expect(true, NamespacesBy::kUserNamespace); }), 0);
}

TEST(Namespaces, AreMadeByRootWhereUserNamespacesAreForbidden) {
  EXPECT_EQ(exits_with([] { return forbid_user_namespaces() ? clone_and_expect(true, NamespacesBy::kRoot) : 4; }), 0);
}

TEST(Namespaces, AreNotMadeByOthersThere) {
  EXPECT_EQ(exits_with([] {
              NamespacesBy by{};
              if (!forbid_user_namespaces()) return 4;
              return clone_into_namespaces(kAllNamespaces, false, nullptr, by) == -1 && errno == ENOSPC ? 0 : 3;
            }),
            0);
}

bool give_up_capability(unsigned capability) {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  __user_cap_data_struct held[2] = {};
  if (::syscall(SYS_capget, &header, held) != 0) return false;
  held[0].effective &= ~(1u << capability);
  held[0].permitted &= ~(1u << capability);
  return ::syscall(SYS_capset, &header, held) == 0;
}

// Without CAP_KILL a guest of another user could not be ended, so there must be none.
TEST(Namespaces, AreNotMadeByRootWhoMayNotKill) {
  EXPECT_EQ(exits_with([] {
              NamespacesBy by{};
              if (!forbid_user_namespaces() || !give_up_capability(CAP_KILL)) return 4;
              const long child = clone_into_namespaces(kAllNamespaces, true, nullptr, by);
              if (child == 0) ::_exit(0);
              return child == -1 && errno == ENOSPC ? 0 : 3;
            }),
            0)
      << "3: they were made; 4: the test could not be made";
}

// As a user without rights on the host, with only the rights that entering the empty root needs, until they are given
// up, too.
TEST(Namespaces, RootKeepsOnlyTheRightToMountAndToDropRights) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become somebody else";
  EXPECT_EQ(exits_with([] {
              const char* failed = nullptr;
              if (!become_user_who_mounts(kDropGroups, failed)) return 2;
              const std::string id = std::to_string(kGuestUid);
              if (own_status("Uid") != id + "\t" + id + "\t" + id + "\t" + id ||
                  own_status("Groups").find_first_not_of(' ') != std::string::npos) {
                return 3;
              }
              for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
                if (own_status(set) != "0000000000200100") return 4;
              if (!drop_all_capabilities()) return 5;
              for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
                if (own_status(set) != "0000000000000000") return 6;
              return 0;
            }),
            0);
}

}  // namespace
}  // namespace glovebox::jail
