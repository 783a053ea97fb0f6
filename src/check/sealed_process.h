// A process of a third-party program that reads hostile text: it has its input, its output, a read-only root with
// nothing but the program's own folder and a few small files, and the system calls of its confinement.
//
// It runs in namespaces of its own (user, pid, mount, network, ipc, uts, cgroup), without capabilities, as a user who
// owns nothing when we are root, and dies with the thread that has started it. Where there are no namespaces and the
// owner accepts that, Landlock and the filter of system calls are what is left: it reads its own folder and the small
// files.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "glovebox/result.h"
#include "jail/confinement/confined_process.h"

namespace glovebox::check {

struct SealedFile {
  std::string path;  // beneath the agent's folder, in at most one folder: "guest.d.ts", "tools/tsconfig.json"
  std::string text;
};

struct SealedSpec {
  std::string program;                   // a statically linked one; its folder is /lib inside
  std::vector<std::string> arguments;    // without its name
  std::vector<std::string> environment;  // NAME=value, and nothing else
  std::vector<SealedFile> files;         // it starts in the agent's folder
  std::size_t memory_bytes = 0;
  std::size_t cpu_seconds = 0;
  // kWithout…, where the owner accepts that. Never namespaces and Landlock: nothing would keep it from files.
  std::uint32_t missing_layers = 0;
};

class OpenFolder;

class SealedProcess {
 public:
  // Returns when the program runs, or says which step failed. The thread that calls it must outlive the process.
  static Result<SealedProcess> start(const SealedSpec& spec);

  SealedProcess(SealedProcess&&) noexcept;
  SealedProcess& operator=(SealedProcess&&) = delete;
  // Kills, waits and reaps.
  ~SealedProcess();

  // Neither blocks.
  int input() const { return input_.get(); }
  int output() const { return output_.get(); }
  // Readable when it has ended.
  int end_fd() const { return process_.pidfd(); }
  // Where its files are, as it sees them.
  const std::string& agent_folder() const { return agent_folder_; }

 private:
  SealedProcess(jail::ConfinedProcess process, base::UniqueFd input, base::UniqueFd output, std::string agent_folder,
                std::unique_ptr<OpenFolder> folder);

  // First, so that it goes last: a folder of the host's.
  std::unique_ptr<OpenFolder> folder_;
  std::string agent_folder_;
  jail::ConfinedProcess process_;
  base::UniqueFd input_;
  base::UniqueFd output_;
};

}  // namespace glovebox::check
