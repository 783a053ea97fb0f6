// What the kernel's scheduler says of a process.
#pragma once

#include <sys/types.h>

namespace glovebox::jail {

// As in /proc: 'R' for one that runs or would if it were let, 'S' for one that waits for something, 'T' for one that is
// stopped. 0 once it is gone.
char process_state(pid_t pid);

}  // namespace glovebox::jail
