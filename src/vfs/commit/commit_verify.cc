// Before a commit: whether the disk is as the run saw it.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "vfs/commit/commit.h"
#include "vfs/disk_tree.h"
#include "vfs/file_error.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

CommitError conflict(const std::string& path) {
  return {CommitError::Kind::kConflict, path, "CONFLICT: " + path + " changed while the run had its own view of it"};
}

bool has_changes(const OverlayNode& node) {
  return std::any_of(node.children.begin(), node.children.end(), [](const auto& entry) {
    return entry.second->gone || !entry.second->in_place() || has_changes(*entry.second);
  });
}

TreeResult<FileInfo> info_at(const GrantAnchors& anchors, const std::string& path) {
  auto fd = anchors.open(path, policy::Access::kWrite, O_PATH | O_NOFOLLOW);
  if (!fd) return fd.failure();
  return info_of(fd->get());
}

}  // namespace

Result<void, CommitError> Commit::verify_object(const DiskObject& object) const {
  auto fd = anchors_.open(object.origin, policy::Access::kWrite, O_PATH | O_NOFOLLOW);
  if (!fd) return conflict(object.origin);
  auto info = info_of(fd->get());
  if (!info || !is_unchanged(object.info, *info)) return conflict(object.origin);
  if (info->kind != FileKind::kDirectory) return {};
  // Moving a folder writes its ".." entry.
  if (::syscall(SYS_faccessat2, fd->get(), "", W_OK, AT_EMPTY_PATH | AT_EACCESS) != 0) {
    return commit_failed(object.origin, system_error(errno));
  }
  if (!object.contents) return {};
  auto print = tree_.print_of_contents(object.origin);
  if (!print) return commit_failed(object.origin, print.failure());
  return *print == *object.contents ? Outcome() : conflict(object.origin);
}

Result<void, CommitError> Commit::verify_node(const OverlayNode& node) const {
  // A folder that was only listed may be another one now.
  if (node.found && has_changes(node)) {
    auto now = info_at(anchors_, node.origin);
    if (!now || !is_unchanged(*node.found, *now)) return conflict(node.origin);
  }
  for (const auto& [name, child] : node.children) {
    const bool arrives = !child->gone && !child->in_place();
    if (arrives && !node.origin.empty()) {
      const std::string path = policy::join_path(node.origin, name);
      if (child->shadow == kNone) {
        auto occupied = info_at(anchors_, path);
        if (occupied || occupied.failure().number != ENOENT) return conflict(path);
      }
      auto entry = anchors_.entry(path);
      if (!entry) return commit_failed(path, entry.failure());
      // A config may have come to name this place since the run wrote there.
      const bool named =
          anchors_.own().include(path) || (child->kind == FileKind::kDirectory && anchors_.own().are_named_in(path));
      auto place = named ? TreeResult<void>(own_file()) : check_real_place(anchors_.own(), *entry, path);
      if (!place) return commit_failed(path, place.failure());
    }
    auto inner = verify_node(*child);
    if (!inner) return inner;
  }
  return {};
}

Result<void, CommitError> Commit::verify() const {
  for (const DiskObject& object : tree_.objects()) {
    if (object.returned) continue;
    auto unchanged = verify_object(object);
    if (!unchanged) return unchanged;
  }
  return verify_node(tree_.root());
}

}  // namespace glovebox::vfs
