// The artifacts of one run, while it runs. They are kept with the run's record when it ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::calls {

class ArtifactShelf {
 public:
  explicit ArtifactShelf(const SandboxConfig& config)
      : most_(config.max_artifacts),
        most_bytes_(config.max_artifact_bytes),
        most_total_bytes_(config.max_artifact_total_bytes) {}

  // Before its bytes arrive. Nothing: there is room, and it is reserved now.
  std::optional<std::string> why_no_room(const std::string& name, std::uint64_t bytes);
  // One of the same name is replaced.
  void put(Artifact artifact);
  std::vector<Artifact> take() { return std::move(artifacts_); }

 private:
  std::vector<Artifact>::iterator find(const std::string& name);

  std::size_t most_;
  std::size_t most_bytes_;
  std::size_t most_total_bytes_;
  std::vector<Artifact> artifacts_;
  std::uint64_t total_bytes_ = 0;  // of all that were ever emitted, replaced ones included
};

}  // namespace glovebox::calls
