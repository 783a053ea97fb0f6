// A view whose writes go to the disk at once.
#pragma once

#include <memory>

#include "vfs/file_view.h"
#include "vfs/paths/grant_anchors.h"

namespace glovebox::vfs {

Result<std::unique_ptr<FileView>> open_direct_view(const FileGrants& grants, const FileLimits& limits);

}  // namespace glovebox::vfs
