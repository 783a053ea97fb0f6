// Where a path leads when links are followed. Only granted places are examined: a link out of the grants is followed as
// text, and what is there stays unknown.
#pragma once

#include <string>

#include "policy/path_grants.h"
#include "vfs/file_tree.h"

namespace glovebox::vfs {

// As many as the kernel follows.
inline constexpr int kMaxLinks = 40;

enum class LastLink { kFollow, kKeep };

// The same place as `path`, with no link on the way. Its last name need not exist. The caller checks that the result is
// granted, and that it is still the same when it is opened.
TreeResult<std::string> resolve_links(FileTree& tree, const policy::PathGrants& grants, const std::string& path,
                                      policy::Access access, LastLink last);

}  // namespace glovebox::vfs
