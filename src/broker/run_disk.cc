#include "broker/run_disk.h"

#include <errno.h>

#include "vfs/direct_view.h"

namespace glovebox::broker {
namespace {

// Only what concerns files: the rest of a config may be large.
SandboxConfig files_of(const SandboxConfig& config) {
  SandboxConfig files;
  files.allow_read = config.allow_read;
  files.allow_write = config.allow_write;
  files.file_mode = config.file_mode;
  files.max_read_bytes = config.max_read_bytes;
  files.max_write_bytes = config.max_write_bytes;
  files.max_new_files = config.max_new_files;
  return files;
}

}  // namespace

RunDisk::RunDisk(const SandboxConfig& config) : config_(files_of(config)) {}

vfs::FileResult<vfs::FileView*> RunDisk::view() {
  if (view_) return view_.get();
  const vfs::FileGrants grants{config_.allow_read, config_.allow_write};
  const vfs::FileLimits limits{config_.max_read_bytes, config_.max_write_bytes, config_.max_new_files};
  auto opened = vfs::open_direct_view(grants, limits);
  if (!opened) return vfs::FileError{vfs::FileError::Kind::kSystem, EIO, opened.failure().message};
  view_ = std::move(opened).value();
  return view_.get();
}

void RunDisk::close() {
  view_.reset();
}

}  // namespace glovebox::broker
