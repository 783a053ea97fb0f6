// Checks the name of an artifact and determines its type. Names are shown on screens and become file names; types
// decide how a browser or a model interprets the bytes. Hostile code chooses both.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::calls {

inline constexpr std::size_t kMaxArtifactNameBytes = 100;

// Nothing if the name is valid.
std::optional<std::string> why_no_artifact_name(std::string_view name);

// `said` is the type that the code claims, and may be empty; next comes the name's extension. Either counts only if the
// bytes fit.
std::string artifact_type(std::string_view name, std::string_view said, std::string_view bytes);

// Whether artifact_type can return it.
bool is_artifact_type(std::string_view type);

}  // namespace glovebox::calls
