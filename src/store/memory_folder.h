// For tests: a folder in memory. A disk that other tests keep busy takes seconds for what takes microseconds, and then
// a program does what it does with a disk that hangs: it refuses requests, or answers before it has written.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>
#include <system_error>

#include "base/proving.h"

namespace glovebox::store {

// A new one of this name. On the disk where there is little memory for files, and in `make prove`, whose tests write
// gigabytes.
inline std::string make_memory_folder(const std::string& name) {
  constexpr std::uintmax_t kEnough = std::uintmax_t{2} << 30;
  std::error_code none;
  const auto space = std::filesystem::space("/dev/shm", none);
  const bool has_room = !none && space.available >= kEnough && !base::is_proving();
  for (const char* where : {has_room ? "/dev/shm" : "/tmp", "/tmp"}) {
    std::string path = where + ("/glovebox-" + name + "-XXXXXX");
    if (::mkdtemp(path.data())) return path;
  }
  std::abort();
}

}  // namespace glovebox::store
