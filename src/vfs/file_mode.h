// Permission bits of what a guest makes: nobody but its owner by default, never setuid, sticky or the world.
#pragma once

#include <cstdint>
#include <optional>

namespace glovebox::vfs {

inline constexpr std::uint32_t kFileMode = 0600;
inline constexpr std::uint32_t kFolderMode = 0700;

// Of something new. `umask` is the gateway's own: its owner's habit holds for guests, too.
inline std::uint32_t mode_of_new(std::optional<std::uint32_t> wanted, std::uint32_t usual, std::uint32_t umask) {
  return wanted ? *wanted & 0770 & ~umask : usual;
}

// Of a file that exists and is given another mode: the world keeps at most what it had.
inline std::uint32_t mode_of_changed(std::uint32_t wanted, std::uint32_t before, std::uint32_t umask) {
  return (wanted & 0770 & ~umask) | (wanted & before & 0007);
}

}  // namespace glovebox::vfs
