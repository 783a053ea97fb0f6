// The file that a zygote boots from: the realm with its prelude, and the stripper's machine code. Made by the build
// with the very engine and library that read it; docs/formats.md has the layout.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::guest {

struct BootImage {
  std::string snapshot;
  std::string stripper_code;
};

struct MappedBootImage {
  std::string_view snapshot;
  std::string_view stripper_code;
};

// Both: empty on success, else what went wrong.
std::string write_boot_image(const BootImage& image, const char* path);
std::string map_boot_image(int fd, MappedBootImage& image);

}  // namespace glovebox::guest
