#include "vfs/direct_view.h"

#include "base/try.h"
#include "vfs/disk_tree.h"

namespace glovebox::vfs {
namespace {

class DirectView : public GrantedView {
 public:
  DirectView(GrantAnchors anchors, const FileLimits& limits)
      : GrantedView(std::move(anchors), limits), disk_(this->anchors(), quota(), umask_bits()) {}

 protected:
  FileTree& tree() override { return disk_; }

 private:
  DiskTree disk_;
};

}  // namespace

Result<std::unique_ptr<FileView>> open_direct_view(const FileGrants& grants, const FileLimits& limits) {
  return std::unique_ptr<FileView>(std::make_unique<DirectView>(GLOVEBOX_TRY(GrantAnchors::open(grants)), limits));
}

}  // namespace glovebox::vfs
