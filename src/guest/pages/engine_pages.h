// What this process uses of the engine's file.
#pragma once

#include <string>

namespace glovebox::guest {

// Appends the list of base/engine/used_pages.h to a boot image. It is empty where the kernel does not tell. Says what
// went wrong.
std::string append_used_pages(const char* image_path);

}  // namespace glovebox::guest
