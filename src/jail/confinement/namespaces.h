// The namespaces of a zygote and of the type checker, and who makes them.
#pragma once

#include <sched.h>

#include <cstdint>

#include "jail/confinement/id_map.h"

namespace glovebox::jail {

inline constexpr std::uint64_t kNamespacesBesideUser =
    CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP;

// By a user namespace, which gives the rights to make the others. Where those are forbidden and the gateway is root, by
// its own rights.
enum class NamespacesBy : char { kUserNamespace, kRoot };

// Like clone_process(), into namespaces of its own. `by` is known in the child as well. On failure errno says why user
// namespaces were refused.
long clone_into_namespaces(bool root, int* pidfd, NamespacesBy& by);

// In a child of root's without a user namespace: becomes kGuestUid, and keeps the rights to mount and to drop rights,
// also across an exec, until drop_all_capabilities(). System calls only; on failure names the step.
bool become_user_who_mounts(Go go, const char*& failed_step);

}  // namespace glovebox::jail
