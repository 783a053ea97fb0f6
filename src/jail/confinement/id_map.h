// Which user of the host a process in its own user namespace is.
#pragma once

#include <sys/types.h>

#include "glovebox/result.h"

namespace glovebox::jail {

// The user id of guests on the host if the gateway is root: no file, no other process and no login has it. It is beyond
// the ranges that distributions assign to people, services and containers.
inline constexpr unsigned kGuestUid = 2113994753;

// Sent to the process when its maps are written.
enum Go : char { kDropGroups = 1, kKeepGroups = 2 };

// Maps the namespace's only user, 0: if we are root, to kGuestUid, which has no rights on the host; otherwise, or in a
// container that has no such id, to our own.
Result<Go> map_ids(pid_t pid, bool root);

// The same for a process without a user namespace: groups are dropped if that is allowed. It is not if the gateway
// itself is in a user namespace that gave up setgroups.
Go go_without_maps();

}  // namespace glovebox::jail
