// The artifacts of a run as its answer shows them: pictures as content blocks as far as they fit, everything else as
// links that resources/read resolves.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/artifact.h"

namespace glovebox::agent_tools {

// How the answer of one call gets at them.
struct ArtifactAccess {
  std::function<std::optional<Artifact>(const std::string& name)> read;
  bool takes_links = true;  // clients of before 2025-06-18 know no such block
  std::string gateway{};    // that has them, a server of ours; empty: this one
};

// Models can see these; a picture that is text, such as SVG, becomes a link.
bool is_picture(std::string_view type);

// glovebox://runs/{run}/artifacts/{name}: what resources/read takes. Names need no escapes.
inline constexpr const char* kArtifactTemplate = "glovebox://runs/{run}/artifacts/{name}";
std::string artifact_uri(const std::string& run, const std::string& name);

struct ShownArtifacts {
  std::string json;  // an array; empty where nothing was emitted
  std::string text;  // the same in words, a line each
};
// `list` is the member `artifacts` of an ExecutionResult. Blocks are added to `blocks`, within the same bounds as those
// that are there already.
ShownArtifacts show_artifacts(const std::string& run, std::string_view list, const ArtifactAccess& access,
                              std::vector<std::string>& blocks);

}  // namespace glovebox::agent_tools
