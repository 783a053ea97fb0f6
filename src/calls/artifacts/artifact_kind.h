// What an artifact may be called, and of which type it is. Names are shown on screens and become names of files; types
// decide what a browser or a model makes of the bytes. The code that chooses both is hostile.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::calls {

inline constexpr std::size_t kMaxArtifactNameBytes = 100;

// Nothing when it is one.
std::optional<std::string> why_no_artifact_name(std::string_view name);

// `said` is what the code calls it, and may be empty; then the name's ending counts. Either only where the bytes fit.
std::string artifact_type(std::string_view name, std::string_view said, std::string_view bytes);

// Whether artifact_type can give it.
bool is_artifact_type(std::string_view type);

}  // namespace glovebox::calls
