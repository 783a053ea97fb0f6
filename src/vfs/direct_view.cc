#include "vfs/direct_view.h"

#include <algorithm>

#include "base/try.h"
#include "vfs/cached_read.h"
#include "vfs/disk_tree.h"

namespace glovebox::vfs {
namespace {

class DirectView : public FileView {
 public:
  DirectView(GrantAnchors anchors, const FileLimits& limits)
      : FileView(std::move(anchors), limits), disk_(this->anchors(), quota(), umask_bits()) {
    const std::size_t grants = this->anchors().grants().all().size();
    for (std::size_t i = 0; i < grants; ++i) is_local_.push_back(is_local(this->anchors().anchor(i).folder.get()));
  }

  std::optional<std::string> read_if_cached(const std::string& path, std::size_t max_bytes) override {
    const auto place = granted_place(path, policy::Access::kRead);
    const auto grant = place ? anchors().grants().covering(*place, policy::Access::kRead) : std::nullopt;
    if (!grant || !is_local_[*grant]) return std::nullopt;
    const Anchor& anchor = anchors().anchor(*grant);
    const std::size_t most = std::min<std::uint64_t>(max_bytes, max_read_bytes());
    return vfs::read_if_cached(anchor.folder.get(), std::string(policy::relative_to(*place, anchor.path)), most);
  }

 protected:
  FileTree& tree() override { return disk_; }

 private:
  DiskTree disk_;
  std::vector<bool> is_local_;  // of each grant
};

}  // namespace

Result<std::unique_ptr<FileView>> open_direct_view(const FileGrants& grants, const FileLimits& limits) {
  return std::unique_ptr<FileView>(std::make_unique<DirectView>(GLOVEBOX_TRY(GrantAnchors::open(grants)), limits));
}

}  // namespace glovebox::vfs
