// Whether files on the disk are still what they were when a run first touched them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "vfs/file_tree.h"

namespace glovebox::vfs {

// Identifies a file independent of its name: inodes are reused, the time of birth distinguishes them.
struct Identity {
  std::uint64_t inode = 0;
  std::int64_t born_ns = 0;

  bool operator==(const Identity&) const = default;
};

inline Identity identity_of(const FileInfo& info) {
  return {info.inode, info.born_ns};
}

// The same file or folder with the same bytes and mode. The contents of a folder are not compared.
bool is_unchanged(const FileInfo& before, const FileInfo& now);

// A hash of everything beneath `folder` (an open folder), by name, identity, size and time; different folders have
// different ones, short of a 64-bit collision. `skip` is asked about each path relative to the folder.
TreeResult<std::uint64_t> contents_print(int folder, const std::function<bool(const std::string&)>& skip);

}  // namespace glovebox::vfs
