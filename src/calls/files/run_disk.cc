#include "calls/files/run_disk.h"

#include <errno.h>

#include "calls/files/overlay_layer.h"
#include "jail/python_cache.h"
#include "vfs/direct_view.h"
#include "vfs/paths/state_folder.h"

namespace glovebox::calls {
namespace {

// Only what concerns files: the rest of a config may be large.
SandboxConfig files_of(const SandboxConfig& config) {
  SandboxConfig files;
  files.allow_read = config.allow_read;
  files.allow_write = config.allow_write;
  files.only_read = config.only_read;
  files.only_write = config.only_write;
  files.own_paths = config.own_paths;
  files.file_mode = config.file_mode;
  files.max_read_bytes = config.max_read_bytes;
  files.max_write_bytes = config.max_write_bytes;
  files.max_new_files = config.max_new_files;
  return files;
}

// Paths that no run may change: the owner's, and those of every gateway of this user (unfinished commits, and the image
// that Python starts from).
std::vector<std::string> own_places(const SandboxConfig& config) {
  std::vector<std::string> places = config.own_paths;
  for (std::string& folder : vfs::state_folder_candidates()) places.push_back(std::move(folder));
  if (std::string cache = jail::user_cache_folder(); !cache.empty()) places.push_back(std::move(cache));
  return places;
}

}  // namespace

RunDisk::RunDisk(const SandboxConfig& config, const policy::RunGrants& programs) : config_(files_of(config)) {
  for (std::string& place : programs.places()) config_.own_paths.push_back(std::move(place));
}

vfs::FileView* RunDisk::opened_view() {
  return overlay_ ? overlay_.get() : direct_.get();
}

vfs::FileResult<vfs::FileView*> RunDisk::view() {
  if (vfs::FileView* opened = opened_view()) return opened;
  const vfs::FileGrants grants{.read = config_.allow_read,
                               .write = config_.allow_write,
                               .only_read = config_.only_read,
                               .only_write = config_.only_write,
                               .own = own_places(config_)};
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
  // A run that used no file has an empty set, not none.
  if (config_.file_mode == FileMode::kOverlay && !changes_.exists()) set_changes();
  return std::move(changes_);
}

}  // namespace glovebox::calls
