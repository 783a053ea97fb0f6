#include "vfs/overlay/overlay.h"

#include <fcntl.h>

#include <map>

#include "base/try.h"
#include "vfs/overlay/overlay_tree.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

// The view itself: a GrantedView on the layer's tree.
class LayerView : public GrantedView {
 public:
  LayerView(GrantAnchors anchors, const FileLimits& limits, Transaction transaction)
      : GrantedView(std::move(anchors), limits),
        transaction_(std::move(transaction)),
        tree_(this->anchors(), quota(), transaction_, umask_bits()) {}

  FileTree& tree() override { return tree_; }
  const OverlayTree& layer() const { return tree_; }
  Transaction& transaction() { return transaction_; }
  const Transaction& transaction() const { return transaction_; }
  using GrantedView::anchors;

 private:
  Transaction transaction_;
  OverlayTree tree_;
};

// A path before and after.
struct Difference {
  const DiskObject* before = nullptr;
  const OverlayNode* after = nullptr;
};

void collect_arrivals(const OverlayNode& node, const std::string& path, std::map<std::string, Difference>& all) {
  for (const auto& [name, child] : node.children) {
    if (child->gone) continue;
    const std::string inner = policy::join_path(path, name);
    if (!child->in_place()) all[inner].after = child.get();
    collect_arrivals(*child, inner, all);
  }
}

class LayeredOverlay : public Overlay {
 public:
  LayeredOverlay(GrantAnchors anchors, const FileLimits& limits, Transaction transaction, StepHook hook)
      : view_(std::move(anchors), limits, std::move(transaction)), hook_(std::move(hook)) {}
  ~LayeredOverlay() override { LayeredOverlay::drop(); }
  LayeredOverlay(const LayeredOverlay&) = delete;
  LayeredOverlay& operator=(const LayeredOverlay&) = delete;

  FileResult<std::unique_ptr<FileSource>> open_to_read(const std::string& path) override {
    return view_.open_to_read(path);
  }
  FileResult<std::unique_ptr<FileSink>> open_to_write(const std::string& path, const WriteOptions& options) override {
    return view_.open_to_write(path, options);
  }
  FileResult<std::vector<DirectoryEntry>> read_directory(const std::string& path) override {
    return view_.read_directory(path);
  }
  FileResult<FileInfo> stat(const std::string& path) override { return view_.stat(path); }
  FileResult<FileInfo> lstat(const std::string& path) override { return view_.lstat(path); }
  FileResult<std::string> real_path(const std::string& path) override { return view_.real_path(path); }
  FileResult<void> make_directory(const std::string& path, bool recursive, std::optional<std::uint32_t> mode) override {
    return view_.make_directory(path, recursive, mode);
  }
  FileResult<void> remove(const std::string& path, bool recursive) override { return view_.remove(path, recursive); }
  FileResult<void> rename(const std::string& from, const std::string& to) override { return view_.rename(from, to); }
  FileResult<void> copy(const std::string& from, const std::string& to) override { return view_.copy(from, to); }
  FileResult<std::string> make_temp_directory(const TempOptions& options) override {
    return view_.make_temp_directory(options);
  }
  FileResult<std::string> make_temp_file(const TempOptions& options) override { return view_.make_temp_file(options); }
  FileResult<std::string> current_folder() override { return view_.current_folder(); }
  FileResult<base::UniqueFd> open_folder(const std::string& path) override { return view_.open_folder(path); }
  bool is_granted(policy::Access access, const std::string& path) const override {
    return view_.is_granted(access, path);
  }

  std::vector<Change> changes() const override {
    std::map<std::string, Difference> all;
    for (const DiskObject& object : view_.layer().objects()) {
      if (!object.returned) all[object.origin].before = &object;
    }
    collect_arrivals(view_.layer().root(), "/", all);
    std::vector<Change> changes;
    for (const auto& [path, difference] : all) append(changes, path, difference);
    return changes;
  }

  using Overlay::commit;
  Result<void, CommitError> commit(const MayGoOn& may_go_on) override {
    if (!view_.transaction().valid()) return CommitError{CommitError::Kind::kFailed, {}, "Nothing is left to commit"};
    auto committed = Commit(view_.layer(), view_.anchors(), view_.transaction(), hook_, may_go_on).run();
    // What the next start has to finish must not be dropped.
    unfinished_ = !committed && committed.failure().kind == CommitError::Kind::kUnfinished;
    return committed;
  }

  void drop() override {
    if (!unfinished_) view_.transaction().remove();
  }

 private:
  std::optional<std::uint64_t> size_of(const OverlayNode& node) const {
    if (node.layer != 0) {
      auto fd = view_.transaction().open_layer_file(node.layer, O_PATH);
      auto info = fd ? info_of(fd->get()) : TreeResult<FileInfo>(fd.failure());
      return info ? std::optional(info->size) : std::nullopt;
    }
    if (node.kind == FileKind::kDirectory || node.object == kNone) return std::nullopt;
    return view_.layer().objects()[static_cast<std::size_t>(node.object)].info.size;
  }

  void append(std::vector<Change>& changes, const std::string& path, const Difference& difference) const {
    const bool was_folder = difference.before != nullptr && difference.before->info.kind == FileKind::kDirectory;
    const bool is_folder = difference.after != nullptr && difference.after->kind == FileKind::kDirectory;
    const auto before =
        difference.before != nullptr && !was_folder ? std::optional(difference.before->info.size) : std::nullopt;
    if (difference.before != nullptr && difference.after != nullptr && !was_folder && !is_folder) {
      changes.push_back({path, Change::Kind::kModified, false, before, size_of(*difference.after)});
      return;
    }
    if (difference.before != nullptr) changes.push_back({path, Change::Kind::kDeleted, was_folder, before, {}});
    if (difference.after != nullptr) {
      changes.push_back({path, Change::Kind::kCreated, is_folder, {}, size_of(*difference.after)});
    }
  }

  LayerView view_;
  StepHook hook_;
  bool unfinished_ = false;
};

// A layer in a folder that the run may write to would be under the run's control.
bool is_granted(const GrantAnchors& anchors, const std::string& state_folder) {
  const std::string state = real_path_of(state_folder);
  for (const policy::PathGrant& grant : anchors.grants().all()) {
    if (grant.write && policy::is_at_or_beneath(state, grant.path)) return true;
  }
  return false;
}

Result<Transaction> make_transaction(const GrantAnchors& anchors, const OverlayOptions& options) {
  const auto candidates =
      options.state_folder.empty() ? state_folder_candidates() : std::vector<std::string>{options.state_folder};
  Result<Transaction> made(
      Failure{ErrorCode::kInvalidArgument,
              "the folder for unfinished work lies in a folder that the run may write to: " + candidates.back()});
  for (const std::string& candidate : candidates) {
    if (is_granted(anchors, candidate)) continue;
    made = Transaction::create(candidate);
    if (made) break;
  }
  return made;
}

}  // namespace

const char* change_name(Change::Kind kind) {
  switch (kind) {
    case Change::Kind::kCreated: return "created";
    case Change::Kind::kModified: return "modified";
    case Change::Kind::kDeleted: return "deleted";
  }
  return "";
}

Result<std::unique_ptr<Overlay>> open_overlay(const FileGrants& grants, const FileLimits& limits,
                                              const OverlayOptions& options) {
  GrantAnchors anchors = GLOVEBOX_TRY(GrantAnchors::open(grants));
  Transaction transaction = GLOVEBOX_TRY(make_transaction(anchors, options));
  return std::unique_ptr<Overlay>(
      std::make_unique<LayeredOverlay>(std::move(anchors), limits, std::move(transaction), options.hook));
}

}  // namespace glovebox::vfs
