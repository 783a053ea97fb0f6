// What keeps this process from making user namespaces, and the one command that changes it. Distributions, containers
// and administrators each forbid them in their own way, and for most the kernel only says EPERM.
#pragma once

#include <string>

namespace glovebox::jail {

// What can be read about this machine. Empty: there is no such file.
struct NamespaceFacts {
  int error = 0;                   // of the first namespace that was refused
  bool kernel_has_them = true;     // /proc/self/ns/user is there
  bool root = false;               // with CAP_SYS_ADMIN the settings for unprivileged users do not count
  bool filtered = false;           // a seccomp filter applies to this process
  std::string most;                // user.max_user_namespaces
  std::string unprivileged;        // kernel.unprivileged_userns_clone (Debian)
  std::string apparmor_restricts;  // kernel.apparmor_restrict_unprivileged_userns (Ubuntu)
  std::string apparmor_profile;    // of this process
  std::string prefix;              // where Glovebox is installed, with a profile of its own for AppArmor
};
NamespaceFacts read_namespace_facts(int error);

struct NamespaceBlocker {
  std::string who;  // sysctl, AppArmor, seccomp or kernel
  std::string why;
  std::string fix;  // one command, or what to change in how a container is started
};
NamespaceBlocker find_namespace_blocker(const NamespaceFacts& facts);

}  // namespace glovebox::jail
