// A process's own root file system in place of the host's: a small tmpfs, read-only once it is filled.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace glovebox::jail {

struct OwnRoot {
  const char* options;                // of its tmpfs
  bool holds_program_folder = false;  // the current folder of the process becomes /lib, read-only
  const char* home = "/";
};
inline constexpr OwnRoot kEmptyRoot{"size=4k,nr_inodes=1,mode=0555"};

struct RootFile {
  std::string path;
  std::string_view text;
};

// Paths are relative; folders come before their content.
struct RootContent {
  std::span<const std::string> folders;
  std::span<const RootFile> files;
  const char* link_target = nullptr;  // of proc/self/exe: Go programs look up their path there, and there is no /proc
};

// Writes it beneath the open folder, readable by all. System calls only, as below.
bool write_content(int folder, const RootContent& content);

// Replaces the old root. Needs a mount namespace of its own. On failure names the part.
bool enter_own_root(const OwnRoot& root, const RootContent& content, const char*& failed_part);

}  // namespace glovebox::jail
