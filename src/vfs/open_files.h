// Bytes of open files.
#pragma once

#include "vfs/file_tree.h"
#include "vfs/quota.h"

namespace glovebox::vfs {

// Appends the bytes of one file to another, without passing through this process where the kernel can do that.
TreeResult<void> copy_bytes(int from, int to, Quota& quota);

}  // namespace glovebox::vfs
