// Regular files that are open for the guest: bytes are counted as they pass, whatever the file's size was before.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "vfs/file_tree.h"
#include "vfs/file_view.h"
#include "vfs/quota.h"

namespace glovebox::vfs {

std::unique_ptr<FileSource> make_source(OpenFile file, std::uint64_t max_bytes, std::string guest_path);
// `quota` outlives the sink.
std::unique_ptr<FileSink> make_sink(OpenFile file, Quota& quota, std::string guest_path);

// Appends the bytes of one file to another, without passing through this process where the kernel can do that.
TreeResult<void> copy_bytes(int from, int to, Quota& quota);

}  // namespace glovebox::vfs
