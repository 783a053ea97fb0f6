// Permission bits of what a guest makes: what the owner's umask leaves, as of every other program of theirs; never
// setuid, setgid or sticky.
#pragma once

#include <cstdint>
#include <optional>

namespace glovebox::vfs {

inline constexpr std::uint32_t kFileMode = 0666;
inline constexpr std::uint32_t kFolderMode = 0777;
// Of what is temporary, and of anything until it has the mode that it is to have: nobody opens it in between.
inline constexpr std::uint32_t kPrivateFileMode = 0600;
inline constexpr std::uint32_t kPrivateFolderMode = 0700;

// Of something new. `umask` is the gateway's own: its owner's habit holds for guests, too.
inline std::uint32_t mode_of_new(std::optional<std::uint32_t> wanted, std::uint32_t usual, std::uint32_t umask) {
  return wanted.value_or(usual) & 0777 & ~umask;
}

// Of a file that exists and is given another mode: the world keeps at most what it had.
inline std::uint32_t mode_of_changed(std::uint32_t wanted, std::uint32_t before, std::uint32_t umask) {
  return (wanted & 0770 & ~umask) | (wanted & before & 0007);
}

}  // namespace glovebox::vfs
