// The files that the page consists of, as they are built into the program.
#pragma once

#include <span>
#include <string_view>

namespace glovebox::ui {

struct File {
  std::string_view name;
  std::string_view content;
};

std::span<const File> files();
// Another one for other files: it is a part of their addresses, so that they may be kept for good.
std::string_view files_digest();

}  // namespace glovebox::ui
