// What a process hands down to the processes that it starts, as far as another process can see it. An engine is given
// only to a command that would have started it in the same state: one under more restrictions must not escape them, and
// one under fewer must not be held by those of another.
#pragma once

#include <sys/types.h>

#include <string>

#include "base/unique_fd.h"

namespace glovebox::standby {

// Whether a process lives, and this one may end it.
bool may_be_signalled(const base::UniqueFd& pidfd);

// Whether `pidfd` and `pid` are of one process, which is in `state`.
bool is_in_state(const base::UniqueFd& pidfd, pid_t pid, const std::string& state);

// To be compared as a whole. Empty if any of it cannot be read, as of a process that this one may not examine.
std::string start_state(pid_t pid);

}  // namespace glovebox::standby
