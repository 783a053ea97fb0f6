#include "vfs/overlay/overlay.h"

#include <fcntl.h>

#include <map>

#include "base/try.h"
#include "vfs/overlay/overlay_tree.h"
#include "vfs/paths/open_beneath.h"

namespace glovebox::vfs {
namespace {

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

std::optional<std::uint64_t> size_of_node(const OverlayNode& node, const OverlayTree& tree,
                                          const Transaction& transaction) {
  if (node.layer != 0) {
    auto fd = transaction.open_layer_file(node.layer, O_PATH);
    auto info = fd ? info_of(fd->get()) : TreeResult<FileInfo>(fd.failure());
    return info ? std::optional(info->size) : std::nullopt;
  }
  if (node.kind == FileKind::kDirectory || node.object == kNone) return std::nullopt;
  return tree.objects()[static_cast<std::size_t>(node.object)].info.size;
}

void append_change(std::vector<OverlayChange>& changes, const std::string& path, const Difference& difference,
                   const std::optional<std::uint64_t>& after) {
  const bool was_folder = difference.before != nullptr && difference.before->info.kind == FileKind::kDirectory;
  const bool is_folder = difference.after != nullptr && difference.after->kind == FileKind::kDirectory;
  const auto before =
      difference.before != nullptr && !was_folder ? std::optional(difference.before->info.size) : std::nullopt;
  if (difference.before != nullptr && difference.after != nullptr && !was_folder && !is_folder) {
    changes.push_back({path, OverlayChange::Kind::kModified, false, before, after});
    return;
  }
  if (difference.before != nullptr) changes.push_back({path, OverlayChange::Kind::kDeleted, was_folder, before, {}});
  if (difference.after != nullptr) changes.push_back({path, OverlayChange::Kind::kCreated, is_folder, {}, after});
}

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

Overlay::Overlay(GrantAnchors anchors, const FileLimits& limits, Transaction transaction, StepHook hook)
    : FileView(std::move(anchors), limits),
      transaction_(std::move(transaction)),
      tree_(this->anchors(), quota(), transaction_, umask_bits()),
      hook_(std::move(hook)) {}

std::vector<OverlayChange> Overlay::changes() const {
  std::map<std::string, Difference> all;
  for (const DiskObject& object : tree_.objects()) {
    if (!object.returned) all[object.origin].before = &object;
  }
  collect_arrivals(tree_.root(), "/", all);
  std::vector<OverlayChange> changes;
  for (const auto& [path, difference] : all) {
    append_change(changes, path, difference,
                  difference.after ? size_of_node(*difference.after, tree_, transaction_) : std::nullopt);
  }
  return changes;
}

Result<void, CommitError> Overlay::commit(const MayGoOn& may_go_on) {
  if (!transaction_.valid()) return CommitError{CommitError::Kind::kFailed, {}, "Nothing is left to commit"};
  auto committed = Commit(tree_, anchors(), transaction_, hook_, may_go_on).run();
  // What the next start has to finish must not be dropped.
  unfinished_ = !committed && committed.failure().kind == CommitError::Kind::kUnfinished;
  return committed;
}

void Overlay::drop() {
  if (!unfinished_) transaction_.remove();
}

Result<std::unique_ptr<Overlay>> open_overlay(const FileGrants& grants, const FileLimits& limits,
                                              const OverlayOptions& options) {
  GrantAnchors anchors = GLOVEBOX_TRY(GrantAnchors::open(grants));
  Transaction transaction = GLOVEBOX_TRY(make_transaction(anchors, options));
  return std::make_unique<Overlay>(std::move(anchors), limits, std::move(transaction), options.hook);
}

}  // namespace glovebox::vfs
