#include "broker/run_disk.h"

#include <errno.h>

#include "broker/overlay_layer.h"
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

vfs::FileView* RunDisk::opened_view() {
  return overlay_ ? overlay_.get() : direct_.get();
}

vfs::FileResult<vfs::FileView*> RunDisk::view() {
  if (vfs::FileView* opened = opened_view()) return opened;
  const vfs::FileGrants grants{config_.allow_read, config_.allow_write};
  const vfs::FileLimits limits{config_.max_read_bytes, config_.max_write_bytes, config_.max_new_files};
  const auto cannot = [](const Failure& failure) {
    return vfs::FileError{vfs::FileError::Kind::kSystem, EIO, failure.message};
  };
  if (config_.file_mode == FileMode::kOverlay) {
    auto opened = vfs::open_overlay(grants, limits);
    if (!opened) return cannot(opened.failure());
    overlay_ = std::move(opened).value();
  } else {
    auto opened = vfs::open_direct_view(grants, limits);
    if (!opened) return cannot(opened.failure());
    direct_ = std::move(opened).value();
  }
  return opened_view();
}

void RunDisk::close() {
  direct_.reset();
  if (overlay_) set_changes();
}

void RunDisk::note_stale(const std::string& path) {
  auto real = overlay_ ? overlay_->real_path(path) : vfs::FileResult<std::string>(path);
  stale_.insert(real ? std::move(real).value() : path);
}

void RunDisk::note_diverged(const std::string& path) {
  if (diverged_.empty()) diverged_ = path;
}

void RunDisk::set_changes() {
  const auto layer = std::make_shared<OverlayLayer>(std::move(overlay_), stale_, diverged_);
  if (!keep_changes_) layer->drop();
  changes_ = ChangeSet(layer);
}

ChangeSet RunDisk::take_changes() {
  // A run that never came near a file has an empty set, not none.
  if (config_.file_mode == FileMode::kOverlay && !changes_.exists()) set_changes();
  return std::move(changes_);
}

}  // namespace glovebox::broker
