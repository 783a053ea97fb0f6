#include "calls/artifacts/artifact_shelf.h"

#include <algorithm>

namespace glovebox::calls {

std::vector<Artifact>::iterator ArtifactShelf::find(const std::string& name) {
  return std::find_if(artifacts_.begin(), artifacts_.end(), [&](const Artifact& one) { return one.name == name; });
}

std::optional<std::string> ArtifactShelf::why_no_room(const std::string& name, std::uint64_t bytes) {
  if (bytes > most_bytes_) {
    return "An artifact has at most " + std::to_string(most_bytes_) + " bytes, and \"" + name + "\" has " +
           std::to_string(bytes) + " (sandbox.maxArtifactBytes)";
  }
  if (bytes > most_total_bytes_ - total_bytes_) {
    return "The artifacts of a run have at most " + std::to_string(most_total_bytes_) +
           " bytes together (sandbox.maxArtifactTotalBytes)";
  }
  if (artifacts_.size() >= most_ && find(name) == artifacts_.end()) {
    return "A run has at most " + std::to_string(most_) + " artifacts (sandbox.maxArtifacts)";
  }
  total_bytes_ += bytes;
  return std::nullopt;
}

void ArtifactShelf::put(Artifact artifact) {
  const auto same = find(artifact.name);
  if (same == artifacts_.end()) {
    artifacts_.push_back(std::move(artifact));
  } else {
    *same = std::move(artifact);
  }
}

}  // namespace glovebox::calls
