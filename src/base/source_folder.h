// For tests: the source folder of the running program. Derived from the location of the program, so that objects
// compiled in one folder work in another.
#pragma once

#include <filesystem>
#include <string>

namespace glovebox::base {

inline std::string source_folder() {
  auto folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  while (!std::filesystem::exists(folder / "CMakePresets.json") && folder.has_relative_path())
    folder = folder.parent_path();
  return folder;
}

}  // namespace glovebox::base
