// Texts that the build places inside the library: the prelude and the TypeScript stripper.
#pragma once

#include <span>
#include <string_view>

namespace glovebox::guest {

struct PreludeFile {
  const char* name;
  std::string_view text;
};

// In the order of their numbers.
std::span<const PreludeFile> prelude_files();
std::string_view type_stripper_text();

}  // namespace glovebox::guest
