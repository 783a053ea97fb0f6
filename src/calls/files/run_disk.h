// A run's files from its first operation to its end: opens the view that the run's grants and file mode ask for, and
// keeps what an overlay has gathered. Everything is called on the run's worker thread unless a comment says otherwise.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>

#include "glovebox/sandbox.h"
#include "vfs/file_view.h"
#include "vfs/overlay/overlay.h"

namespace glovebox::calls {

class RunDisk {
 public:
  explicit RunDisk(const SandboxConfig& config);

  // From any thread: changes go to a layer that only this run sees.
  bool is_private() const { return config_.file_mode == FileMode::kOverlay; }
  // Opened once, when first asked for.
  vfs::FileResult<vfs::FileView*> view();
  // Null when nobody has asked for it yet.
  vfs::FileView* opened_view();
  // The run is over.
  void close();

  // In a later life: the run read `path` in an earlier one, and it is not the same now. If the run has changed it,
  // that cannot be committed.
  void note_stale(const std::string& path);
  // In a later life: what was done to `path` went another way this time, so the layer is not what the run believes.
  // Nothing of it can be committed.
  void note_diverged(const std::string& path);

  // From any thread: the changes of an overlay are of use when the run is over. Otherwise close() drops them, and
  // only what they would have been is kept.
  void keep_changes() { keep_changes_ = true; }
  bool keeps_changes() const { return keep_changes_; }
  // From any thread, after close().
  ChangeSet take_changes();

 private:
  void set_changes();

  SandboxConfig config_;
  std::unique_ptr<vfs::FileView> direct_;
  std::unique_ptr<vfs::Overlay> overlay_;
  std::atomic<bool> keep_changes_ = false;
  std::set<std::string> stale_;
  std::string diverged_;
  ChangeSet changes_;
};

}  // namespace glovebox::calls
