// The ChangeSet::Layer of an overlay.
#pragma once

#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "calls/files/change_layer.h"
#include "vfs/overlay/overlay.h"

namespace glovebox::calls {

class OverlayLayer : public ChangeSet::Layer {
 public:
  // Null: the run never touched a file. For `stale` and `diverged` see RunDisk.
  OverlayLayer(std::unique_ptr<vfs::Overlay> overlay, const std::set<std::string>& stale, std::string diverged);

  const std::vector<Change>& changes() const override { return changes_; }
  bool is_committed() const override;
  Result<std::string> content_of(const std::string& path, std::size_t most) override;
  Result<void> commit(const std::function<bool()>& may_go_on) override;
  void drop() override;

 private:
  mutable std::mutex mutex_;  // copies of a ChangeSet may be used on different threads
  std::unique_ptr<vfs::Overlay> overlay_;
  std::vector<Change> changes_;
  std::string conflict_;  // a path that is not as an earlier attempt found it; empty: none
  bool committed_ = false;
  bool dropped_ = false;
};

}  // namespace glovebox::calls
