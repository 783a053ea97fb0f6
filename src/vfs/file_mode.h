// Permission bits of what a guest creates: within the owner's umask, as for every other program of theirs; never
// setuid, setgid or sticky.
#pragma once

#include <cstdint>
#include <optional>

namespace glovebox::vfs {

inline constexpr std::uint32_t kFileMode = 0666;
inline constexpr std::uint32_t kFolderMode = 0777;
// For temporary files, and for any file until it gets its final mode: no other user can open it in between.
inline constexpr std::uint32_t kPrivateFileMode = 0600;
inline constexpr std::uint32_t kPrivateFolderMode = 0700;

// For something new. `umask` is the gateway's own: it applies to guests, too.
inline std::uint32_t mode_of_new(std::optional<std::uint32_t> wanted, std::uint32_t usual, std::uint32_t umask) {
  return wanted.value_or(usual) & 0777 & ~umask;
}

// For an existing file that is given another mode: others keep at most the rights that they had.
inline std::uint32_t mode_of_changed(std::uint32_t wanted, std::uint32_t before, std::uint32_t umask) {
  return (wanted & 0770 & ~umask) | (wanted & before & 0007);
}

}  // namespace glovebox::vfs
