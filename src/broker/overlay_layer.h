// The layer of an overlay as a ChangeSet has it.
#pragma once

#include <memory>
#include <mutex>

#include "broker/change_layer.h"
#include "vfs/overlay.h"

namespace glovebox::broker {

class OverlayLayer : public ChangeSet::Layer {
 public:
  // Null: the run never touched a file.
  explicit OverlayLayer(std::unique_ptr<vfs::Overlay> overlay);

  const std::vector<Change>& changes() const override { return changes_; }
  bool is_committed() const override;
  Result<void> commit() override;
  void drop() override;

 private:
  mutable std::mutex mutex_;  // copies of a ChangeSet may be with different threads
  std::unique_ptr<vfs::Overlay> overlay_;
  std::vector<Change> changes_;
  bool committed_ = false;
  bool dropped_ = false;
};

}  // namespace glovebox::broker
