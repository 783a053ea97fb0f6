// Gateway side: starts a program that is confined before it runs, and ends it.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "base/unique_fd.h"
#include "glovebox/result.h"
#include "jail/confinement/confinement.h"

namespace glovebox::jail {

class ConfinedProcess {
 public:
  // In namespaces of its own, unless they are among its missing layers. Does not wait for the steps: a failure there is
  // written to the process's peer. The process dies with the thread that calls this.
  static Result<ConfinedProcess> start(Subject subject);
  // A child that was started so. Or another process's child: its parent reports its wait status to `reaper`, and keeps
  // it from being reaped as long as we hold that.
  ConfinedProcess(pid_t pid, base::UniqueFd pidfd, std::uint32_t missing, base::UniqueFd reaper = {})
      : pid_(pid), pidfd_(std::move(pidfd)), reaper_(std::move(reaper)), missing_(missing) {}

  ConfinedProcess(ConfinedProcess&&) noexcept = default;
  ConfinedProcess& operator=(ConfinedProcess&& other) noexcept;
  // Kills and reaps. Another process's child is killed.
  ~ConfinedProcess();

  pid_t pid() const { return pid_; }
  // Readable when it has ended.
  int pidfd() const { return pidfd_.get(); }
  // Waits for its end and returns its wait status.
  int reap();
  // The subject's, and kWithoutUserNamespace if root made the other namespaces.
  std::uint32_t missing_layers() const { return missing_; }

 private:
  int ask_reaper();
  void kill_and_reap();

  pid_t pid_ = -1;  // not reused before the process is reaped, which only we do or allow
  base::UniqueFd pidfd_;
  base::UniqueFd reaper_;
  std::uint32_t missing_ = 0;
};

}  // namespace glovebox::jail
