// Gateway side: starts a zygote in namespaces of its own and holds its control socket.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::jail {

// The owner of guests on the host when the gateway is root: no file, no other process and no login has it. Beyond the
// ranges that distributions hand out to people, services and containers.
inline constexpr unsigned kGuestUid = 2113994753;

struct LaunchSpec {
  std::string engine_path;
  std::string library_path;            // ends in .so; its boot image stands beside it and ends in .image
  std::uint32_t accepted_missing = 0;  // kWithout… bits
  bool warm_typescript = true;
};

class ZygoteProcess {
 public:
  // Blocks until the zygote is booted and confined, or says why it is not.
  static Result<ZygoteProcess> launch(const LaunchSpec& spec);

  ZygoteProcess(ZygoteProcess&&) noexcept = default;
  ZygoteProcess& operator=(ZygoteProcess&&) noexcept;
  ~ZygoteProcess();

  int control_fd() const { return control_.get(); }
  // Layers that are missing here and were accepted.
  std::uint32_t missing_layers() const { return missing_; }

 private:
  static Result<ZygoteProcess> launch_once(const LaunchSpec& spec, std::uint32_t missing);
  ZygoteProcess(base::UniqueFd control, base::UniqueFd pidfd, std::uint32_t missing)
      : control_(std::move(control)), pidfd_(std::move(pidfd)), missing_(missing) {}
  void kill_and_reap();

  base::UniqueFd control_;
  base::UniqueFd pidfd_;
  std::uint32_t missing_ = 0;
};

}  // namespace glovebox::jail
