// What a first boot of Python leaves for all later ones: the interpreter's memory as it stands before any guest's code,
// and the machine code of its WebAssembly. Kept in the user's cache folder; docs/formats.md has the layout.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::guest {

struct PythonImage {
  std::string_view memory;
  std::string_view code;
};

// Both: empty on success, else what went wrong. An image fits only the pack whose key it carries, and only if none of
// its bytes has changed.
std::string write_python_image(const PythonImage& image, std::string_view pack_key, int fd);
std::string map_python_image(int fd, std::string_view pack_key, PythonImage& image);

}  // namespace glovebox::guest
