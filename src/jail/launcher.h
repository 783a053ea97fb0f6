// Gateway side: starts a zygote in namespaces of its own and holds its control socket.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "glovebox/result.h"
#include "jail/confinement/id_map.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {

struct LaunchSpec {
  std::string engine_path;
  std::string library_path;            // ends in .so; its boot image stands beside it, ends in .image
  std::uint32_t accepted_missing = 0;  // kWithout… bits
  bool warm_typescript = true;
  bool one_run = false;  // it becomes its only guest
  // Of Python: the pack, and its image to be read or, by kPythonImage, written.
  ZygoteKind kind = ZygoteKind::kJavaScript;
  std::string python_pack_path;
  int python_image_fd = -1;
  std::uint32_t assume_missing = 0;  // kWithout… bits of layers that an earlier try found missing
};

class ZygoteProcess {
 public:
  // Blocks until the zygote is booted and confined, or says why it is not.
  static Result<ZygoteProcess> launch(const LaunchSpec& spec);
  // The same without waiting: the zygote boots, and finish_boot() is called when its socket can be read.
  static Result<ZygoteProcess> begin(const LaunchSpec& spec);
  Result<void> finish_boot();

  ZygoteProcess(ZygoteProcess&&) noexcept = default;
  ZygoteProcess& operator=(ZygoteProcess&&) noexcept;
  ~ZygoteProcess();

  int control_fd() const { return control_.get(); }
  // At work, or waiting for a processor.
  bool is_running() const;
  // Readable when it has ended.
  int pidfd() const { return pidfd_.get(); }
  // Of one that has ended: its wait status.
  int reap();
  // Layers that are missing here and were accepted.
  std::uint32_t missing_layers() const { return missing_; }
  // Of its memory, in huge pages.
  std::size_t huge_page_bytes() const { return huge_page_bytes_; }

 private:
  static Result<ZygoteProcess> begin_once(const LaunchSpec& spec, std::uint32_t missing);
  static Result<ZygoteProcess> launch_once(const LaunchSpec& spec, std::uint32_t missing);
  ZygoteProcess(base::UniqueFd control, base::UniqueFd pidfd, pid_t pid, std::uint32_t missing)
      : control_(std::move(control)), pidfd_(std::move(pidfd)), pid_(pid), missing_(missing) {}
  void kill_and_reap();

  base::UniqueFd control_;
  base::UniqueFd pidfd_;
  pid_t pid_ = -1;  // nobody else's before the process is reaped, which only we do
  std::uint32_t missing_ = 0;
  std::size_t huge_page_bytes_ = 0;
};

}  // namespace glovebox::jail
