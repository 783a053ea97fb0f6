// Reading what the kernel has cached in memory, and nothing else: for a thread that must not wait for a disk.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace glovebox::vfs {

// Whether opening a file on the file system of `fd` involves this kernel alone. Elsewhere a server or a program may be
// asked, and may never answer.
bool is_local(int fd);

// The content of a small regular file beneath `folder`, where open_beneath would find it, if path and content are
// cached. Nothing in any other case: the caller then takes the path that may wait, which can report why.
std::optional<std::string> read_if_cached(int folder, const std::string& path, std::size_t max_bytes);

}  // namespace glovebox::vfs
