// The namespaces of a confined process, and by which rights they are made.
#pragma once

#include <sched.h>

#include <cstdint>

namespace glovebox::jail {

inline constexpr std::uint64_t kNamespacesBesideUser =
    CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;
inline constexpr std::uint64_t kAllNamespaces = CLONE_NEWUSER | kNamespacesBesideUser;

// By a user namespace, which gives the rights to make the others. Where user namespaces are forbidden and the gateway
// is root, by root's own rights.
enum class NamespacesBy : char { kUserNamespace, kRoot };

// Like clone_process(), into these namespaces. `by` is set in the child, too. On failure errno says why user namespaces
// were refused.
long clone_into_namespaces(std::uint64_t namespaces, bool root, int* pidfd, NamespacesBy& by);

}  // namespace glovebox::jail
