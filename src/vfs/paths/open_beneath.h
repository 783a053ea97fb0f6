// Opening a file beneath a folder, and nowhere else: the one system call through which the disk is reached.
#pragma once

#include <string>

#include "base/unique_fd.h"
#include "vfs/file_tree.h"

namespace glovebox::vfs {

// openat2 with no way out: not above `folder`, not through any link, not onto another mount. `path` is relative and
// without `..`. `flags` are those of open; O_CLOEXEC, O_NOCTTY and O_NONBLOCK are added where they apply.
TreeResult<base::UniqueFd> open_beneath(int folder, const std::string& path, int flags, unsigned mode = 0);

// The same from the root of the file system for a path of our own, such as a grant's: mounts may be crossed.
TreeResult<base::UniqueFd> open_without_links(const std::string& absolute_path, int flags);

// A file or folder as statx sees it. With AT_SYMLINK_NOFOLLOW where `name` is not empty.
TreeResult<FileInfo> info_of(int folder, const std::string& name = {});
// The mount that an open file is on: two of them may show the same device, and no rename passes between them.
TreeResult<std::uint64_t> mount_of(int fd);

FileKind kind_of(std::uint32_t mode);

}  // namespace glovebox::vfs
