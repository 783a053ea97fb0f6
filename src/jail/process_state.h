// The scheduler state of a process.
#pragma once

#include <sys/types.h>

namespace glovebox::jail {

// As in /proc: 'R' running or runnable, 'S' sleeping, 'D' waiting for a disk, 'T' stopped. 0 once it is gone.
char process_state(pid_t pid);

}  // namespace glovebox::jail
