// clone3, and clone where that is missing: Docker's default filter of system calls knows only the latter.
#pragma once

#include <errno.h>
#include <linux/sched.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "base/cores/staying_thread.h"

namespace glovebox::base {

// Like fork, in new namespaces as the flags say. The parent gets no signal at the child's end: the program that embeds
// us may have its own use for SIGCHLD. With CLONE_PIDFD among the flags, `pidfd` receives one.
inline long clone_process(std::uint64_t flags, int* pidfd = nullptr) {
  clone_args arguments{};
  arguments.flags = flags;
  arguments.pidfd = reinterpret_cast<std::uint64_t>(pidfd);
  RoamingStart roaming;
  long pid = ::syscall(SYS_clone3, &arguments, sizeof arguments);
  if (pid < 0 && errno == ENOSYS) pid = ::syscall(SYS_clone, flags, nullptr, pidfd, nullptr, nullptr);
  if (pid == 0) roaming.begun();
  return pid;
}

}  // namespace glovebox::base
