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
// amaro's JavaScript, its WebAssembly, and a program that uses much of TypeScript.
std::string_view type_stripper_text();
std::string_view type_stripper_wasm();
std::string_view typescript_sample();

}  // namespace glovebox::guest
