#include "calls/files/overlay_layer.h"

#include <utility>

namespace glovebox::calls {
namespace {

Change::Kind kind_of(vfs::OverlayChange::Kind kind) {
  switch (kind) {
    case vfs::OverlayChange::Kind::kCreated: return Change::Kind::kCreated;
    case vfs::OverlayChange::Kind::kModified: return Change::Kind::kModified;
    case vfs::OverlayChange::Kind::kDeleted: return Change::Kind::kDeleted;
  }
  return Change::Kind::kModified;
}

}  // namespace

OverlayLayer::OverlayLayer(std::unique_ptr<vfs::Overlay> overlay, const std::set<std::string>& stale,
                           std::string diverged)
    : overlay_(std::move(overlay)), conflict_(std::move(diverged)) {
  if (!overlay_) return;
  for (vfs::OverlayChange& change : overlay_->changes()) {
    if (conflict_.empty() && stale.contains(change.path)) conflict_ = change.path;
    changes_.push_back({std::move(change.path), kind_of(change.kind), change.bytes_before, change.bytes_after});
  }
}

bool OverlayLayer::is_committed() const {
  const std::lock_guard lock(mutex_);
  return committed_;
}

Result<std::string> OverlayLayer::content_of(const std::string& path, std::size_t most) {
  const std::lock_guard lock(mutex_);
  if (!overlay_) return Failure{ErrorCode::kNotFound, "the changes are no longer kept"};
  const auto file = overlay_->open_to_read(path);
  if (!file) return Failure{ErrorCode::kNotFound, file.failure().message};
  std::string content;
  for (char piece[16 * 1024];;) {
    const auto got = (*file)->read(piece);
    if (!got) return Failure{ErrorCode::kSystem, got.failure().message};
    if (got.value() == 0) return content;
    content.append(piece, got.value());
    if (content.size() > most) return Failure{ErrorCode::kInvalidArgument, "it is too large to show"};
  }
}

Result<void> OverlayLayer::commit(const std::function<bool()>& may_go_on) {
  const std::lock_guard lock(mutex_);
  if (committed_) return {};
  if (dropped_) return Failure{ErrorCode::kInvalidArgument, "the changes were dropped and cannot be committed"};
  if (!conflict_.empty()) {
    return Failure{ErrorCode::kConflict, "CONFLICT: " + conflict_ + " has changed since the run was interrupted"};
  }
  if (auto done = overlay_ ? overlay_->commit(may_go_on) : Result<void, vfs::CommitError>(); !done) {
    const bool conflict = done.failure().kind == vfs::CommitError::Kind::kConflict;
    return Failure{conflict ? ErrorCode::kConflict : ErrorCode::kSystem, std::move(done).failure().message};
  }
  committed_ = true;
  overlay_.reset();
  return {};
}

void OverlayLayer::drop() {
  const std::lock_guard lock(mutex_);
  if (committed_) return;
  dropped_ = true;
  if (overlay_) overlay_->drop();
  overlay_.reset();
}

}  // namespace glovebox::calls
