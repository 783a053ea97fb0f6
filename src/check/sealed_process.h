// A process of a third-party program that reads hostile text: it has its input, its output, a read-only root with only
// the program's own folder and a few small files, and the system calls of its confinement.
//
// It runs in namespaces of its own (user, pid, mount, network, ipc, uts, cgroup), without capabilities, as an
// unprivileged user if we are root, and dies with the thread that started it. If there are no namespaces and the owner
// accepts that, Landlock and the system call filter remain: it can read its own folder and the small files.
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
  std::string program;                   // statically linked; its folder is /lib inside
  std::vector<std::string> arguments;    // without its name
  std::vector<std::string> environment;  // NAME=value, and nothing else
  std::vector<SealedFile> files;         // it starts in the agent's folder
  std::size_t memory_bytes = 0;
  std::size_t cpu_seconds = 0;
  // kWithout…, if the owner accepts that. Never both namespaces and Landlock: nothing would keep it from files.
  std::uint32_t missing_layers = 0;
};

// The outermost folder on the way to `path` that not every user may enter; empty if there is none.
std::string private_folder_above(const std::string& path);

class OpenFolder;

class SealedProcess {
 public:
  // Returns when the program runs, or fails with the step that failed. The calling thread must outlive the process.
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
  // The folder of its files, as it sees it.
  const std::string& agent_folder() const { return agent_folder_; }

 private:
  SealedProcess(jail::ConfinedProcess process, base::UniqueFd input, base::UniqueFd output, std::string agent_folder,
                std::unique_ptr<OpenFolder> folder);

  // First, so that it is destroyed last: a folder of the host.
  std::unique_ptr<OpenFolder> folder_;
  std::string agent_folder_;
  jail::ConfinedProcess process_;
  base::UniqueFd input_;
  base::UniqueFd output_;
};

}  // namespace glovebox::check
