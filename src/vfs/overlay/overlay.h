// A view whose writes go to a layer of the run's own, to be inspected, committed or dropped when the run is over.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vfs/commit/commit.h"
#include "vfs/file_view.h"
#include "vfs/overlay/overlay_tree.h"
#include "vfs/paths/grant_anchors.h"

namespace glovebox::vfs {

struct OverlayChange {
  enum class Kind { kCreated, kModified, kDeleted };
  std::string path;  // absolute
  Kind kind = Kind::kCreated;
  bool folder = false;
  // For files. A folder that was renamed or removed is one change, whatever is in it.
  std::optional<std::uint64_t> bytes_before = {}, bytes_after = {};
};

struct OverlayOptions {
  std::string state_folder = {};  // where layers are kept; empty for the user's own
  StepHook hook = {};             // for tests
};

// Dropped when it is destroyed unless committed.
class Overlay : public FileView {
 public:
  Overlay(GrantAnchors anchors, const FileLimits& limits, Transaction transaction, StepHook hook);
  ~Overlay() override { drop(); }
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  // By path.
  std::vector<OverlayChange> changes() const;
  // All of them or, with an error, none; then it may be tried again. Afterwards the view must not be used.
  Result<void, CommitError> commit(const MayGoOn& may_go_on = {});
  void drop();

 protected:
  FileTree& tree() override { return tree_; }

 private:
  Transaction transaction_;
  OverlayTree tree_;
  StepHook hook_;
  bool unfinished_ = false;
};

Result<std::unique_ptr<Overlay>> open_overlay(const FileGrants& grants, const FileLimits& limits,
                                              const OverlayOptions& options = {});

}  // namespace glovebox::vfs
