// Gateway side: starts a zygote in namespaces of its own and holds its control socket.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "glovebox/result.h"
#include "jail/confinement/confined_process.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {

struct LaunchSpec {
  std::string engine_path;
  std::string library_path;            // ends in .so; its boot image is beside it and ends in .image
  std::uint32_t accepted_missing = 0;  // kWithout… bits
  bool warm_typescript = true;
  bool one_run = false;     // the zygote becomes its only guest
  bool rewindable = false;  // its guests, if the kernel can: take_changes()
  // For Python: the pack, and its image, which is read or, with kPythonImage, written.
  ZygoteKind kind = ZygoteKind::kJavaScript;
  std::string python_pack_path;
  int python_image_fd = -1;
  std::uint32_t assume_missing = 0;  // kWithout… bits of layers that an earlier attempt found missing
};

class ZygoteProcess {
 public:
  // Blocks until the zygote is booted and confined, or has reported why it is not.
  static Result<ZygoteProcess> launch(const LaunchSpec& spec);
  // The same without waiting: call finish_boot() when the control socket is readable.
  static Result<ZygoteProcess> begin(const LaunchSpec& spec);
  Result<void> finish_boot();
  // The first half of that: an engine is being loaded, and waits for its greeting.
  static Result<ZygoteProcess> start(const LaunchSpec& spec, std::uint32_t missing);
  // One that was started before this code was loaded, with the parts beside it, no layer missing, and for one run in
  // JavaScript. The first launch takes it, or ends it.
  static std::optional<ZygoteProcess>& started_early();
  // With the only guest's socket if it has been greeted, without the stripper.
  ZygoteProcess(base::UniqueFd control, ConfinedProcess process, base::UniqueFd only_guest = {})
      : process_(std::move(process)), control_(std::move(control)), only_guest_(std::move(only_guest)) {}
  bool is_greeted() const { return only_guest_.valid(); }

  int control_fd() const { return control_.get(); }
  pid_t pid() const { return process_.pid(); }
  // Asks for a guest and returns our end of its socket. A GuestReport answers, on the control socket.
  Result<base::UniqueFd> request_guest(bool warm) const;
  // With one_run the only guest is requested with the greeting, so that it need not be waited for after the boot.
  base::UniqueFd take_only_guest() { return std::move(only_guest_); }
  // Where the kernel asks before a guest changes its address space; none: its guests cannot be rewound.
  base::UniqueFd take_changes() { return std::move(changes_); }
  // Running, or waiting for a CPU or a disk.
  bool is_running() const;
  // Readable when it has ended.
  int pidfd() const { return process_.pidfd(); }
  // Waits for its end and returns its wait status.
  int reap();
  // Layers that are missing here and were accepted.
  std::uint32_t missing_layers() const { return process_.missing_layers(); }
  // How much of its memory is in huge pages.
  std::size_t huge_page_bytes() const { return huge_page_bytes_; }

 private:
  using Attempt = Result<ZygoteProcess> (*)(const LaunchSpec& spec, std::uint32_t missing);
  static Result<ZygoteProcess> with_what_there_is(const LaunchSpec& spec, Attempt attempt);
  static Result<ZygoteProcess> begin_once(const LaunchSpec& spec, std::uint32_t missing);
  static Result<ZygoteProcess> launch_once(const LaunchSpec& spec, std::uint32_t missing);
  Result<void> greet(const LaunchSpec& spec);

  ConfinedProcess process_;
  base::UniqueFd control_;
  base::UniqueFd only_guest_;
  base::UniqueFd changes_;
  std::size_t huge_page_bytes_ = 0;
};

}  // namespace glovebox::jail
