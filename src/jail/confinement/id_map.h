// Who a process in a user namespace of its own is on the host.
#pragma once

#include <sys/types.h>

#include "glovebox/result.h"

namespace glovebox::jail {

// The owner of guests on the host when the gateway is root: no file, no other process and no login has it. Beyond the
// ranges that distributions hand out to people, services and containers.
inline constexpr unsigned kGuestUid = 2113994753;

// What the process is told when its maps are written.
enum Go : char { kDropGroups = 1, kKeepGroups = 2 };

// Maps the namespace's only user, 0, to an id without rights on the host. Inside a container that has no such id, to
// our own, which then has no more rights than the container.
Result<Go> map_ids(pid_t pid, bool root);

// The same for a process without a user namespace: groups are dropped where that is allowed, which it is not where the
// gateway itself sits in a user namespace that gave the right up.
Go go_without_maps();

}  // namespace glovebox::jail
