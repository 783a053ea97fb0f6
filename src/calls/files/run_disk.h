// A run's files from its first operation to its end: opens the view that the run's grants and file mode ask for, and
// keeps the changes of an overlay. Everything is called on the run's worker thread unless a comment says otherwise.
#pragma once

#include <atomic>
#include <memory>
#include <set>
#include <string>

#include "glovebox/sandbox.h"
#include "policy/run_grants.h"
#include "vfs/file_view.h"
#include "vfs/overlay/overlay.h"

namespace glovebox::calls {

class RunDisk {
 public:
  // Programs that the run may start are not written to, whatever is granted.
  explicit RunDisk(const SandboxConfig& config, const policy::RunGrants& programs = {});

  // From any thread: changes go to a layer that only this run sees.
  bool is_private() const { return config_.file_mode == FileMode::kOverlay; }
  // Opened on the first call.
  vfs::FileResult<vfs::FileView*> view();
  // Null before the first view(). Also from the loop while the worker thread is idle.
  vfs::FileView* opened_view();
  // The run is over.
  void close();

  // In a later attempt: `path` is not as the run read it in an earlier one. If the run has changed it, its changes
  // cannot be committed.
  void note_stale(const std::string& path);
  // In a later attempt: an operation on `path` was repeated with another outcome, so the layer is not what the run
  // believes. Nothing of it can be committed.
  void note_diverged(const std::string& path);

  // From any thread: close() is to keep the changes of an overlay. Otherwise it drops them, and only the list of them
  // is left.
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
