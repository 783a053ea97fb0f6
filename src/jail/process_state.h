// What /proc says of a process.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>

namespace glovebox::jail {

// "/proc/PID/NAME"
std::string proc_path(pid_t pid, const char* name);

// 'R' running or runnable, 'S' sleeping, 'D' waiting for a disk, 'T' stopped. 0 once it is gone.
char process_state(pid_t pid);
// What the kernel uses for its page tables. 0 once it is gone.
std::size_t page_table_bytes(pid_t pid);

}  // namespace glovebox::jail
