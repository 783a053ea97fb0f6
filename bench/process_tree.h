// What the kernel says about a process and everything below it: who is there, what CPU time and private memory they
// use.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <optional>
#include <vector>

namespace glovebox::bench {

struct Descendant {
  pid_t pid = 0;
  int depth = 0;  // 1 for a child of the root
};
// Everything below `root`, without `root`. One pass over /proc, because a child list per process needs a kernel option.
std::vector<Descendant> descendants_of(pid_t root);

// CPU time of `root` and all below it, including children that ended and were reaped by a process of the tree.
double tree_cpu_ms(pid_t root);

// Memory that ending the process would give back and that is not in a file. Nothing if the process is gone or may not
// be read.
std::optional<std::size_t> private_dirty_kib(pid_t pid);
std::optional<std::size_t> resident_kib(pid_t pid);

std::size_t open_descriptor_count();  // of this process
std::size_t mount_count();            // in this process's mount namespace

}  // namespace glovebox::bench
