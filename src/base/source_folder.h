// For tests: the folder of the sources that the running program was built from. Found from where the program is, so
// that objects compiled in one folder serve in another.
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
