// What a live workflow does with the files that its tasks write.
#include <sys/stat.h>

#include "base/try.h"
#include "store/failpoint.h"
#include "workflow/disk_name.h"
#include "workflow/live_workflow.h"

namespace glovebox::workflow {
namespace {

std::uint64_t inode_of(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

}  // namespace

// The changes go onto the disk before the task's checkpoint, since the disk cannot be asked to wait. What will change
// is written down first, so that whoever comes after a crash in between sees on the disk whether it happened.
Result<void> LiveWorkflow::commit(std::size_t place, ChangeSet changes) {
  Entry& entry = entries_[place];
  json::array list;
  for (const Change& change : changes.changes()) {
    list.push_back(json::object{
        {"path", change.path}, {"kind", glovebox::name_of(change.kind)}, {"inode", inode_of(change.path)}});
  }
  auto detail = json::parse(detail_of(entry)).get_object();
  detail["commit"] = std::move(list);
  detail["disk"] = GLOVEBOX_TRY(disk_name(shared_->options.state_folder));
  entry.record.detail = json::serialize(detail);
  store::WorkflowStep step;
  step.tasks.push_back(entry.record);
  if (const auto saved = shared_->store.save_step(fence_, step); !saved) {
    changes.drop();
    if (saved.failure().code == ErrorCode::kConflict) lose(saved.failure().message);
    return saved.failure();
  }
  // Whoever stands still here for longer than its lease is taken for dead, and another writes these files where it is.
  // So no file is put in place after the time for which the store has vouched, unless it vouches again.
  auto lease = shared_->store.hold_lease();
  auto committed = changes.commit([&] {
    while (lease && !lease->holds()) lease = shared_->store.hold_lease();
    store::failpoint("commit_files", "next");
    return lease.ok();
  });
  if (lease) return committed;
  changes.drop();
  if (lease.failure().code == ErrorCode::kConflict) lose(lease.failure().message);
  return lease.failure();
}

// Whether the files of a run that ended well are on the disk of this gateway.
LiveWorkflow::Files LiveWorkflow::look_for_files(std::size_t place) const {
  json::error_code wrong;
  const json::value detail = json::parse(entries_[place].record.detail, wrong);
  const json::object* told = !wrong ? detail.if_object() : nullptr;
  const json::value* list = told ? told->if_contains("commit") : nullptr;
  if (!list || !list->is_array()) return Files::kNotWritten;
  const auto here = disk_name(shared_->options.state_folder);
  const json::value* disk = told->if_contains("disk");
  if (!here || !disk || !disk->is_string()) return Files::kUncertain;
  // Another gateway may have written them where it was: they are not here, where the rest of the workflow goes on.
  if (disk->get_string() != here.value()) return Files::kNotWritten;
  bool all = true;
  bool none = true;
  for (const json::value& item : list->get_array()) {
    const json::object& change = item.get_object();
    const std::uint64_t now = inode_of(std::string(change.at("path").as_string()));
    // A new version is a new file, so its number is another.
    const bool happened = change.at("kind").as_string() == "deleted"
                              ? now == 0
                              : now != 0 && now != change.at("inode").to_number<std::uint64_t>();
    all = all && happened;
    none = none && !happened;
  }
  return all ? Files::kWritten : none ? Files::kNotWritten : Files::kUncertain;
}

// The task goes on as if its run had ended only now, with the layer that the run would have.
void LiveWorkflow::make_changes_again(const RunOver& over) {
  shared_->gateway.make_layer_again(over.run, [weak = weak_from_this(), over](auto made) {
    const auto self = weak.lock();
    if (!self || self->left_) return;
    RunOver again = over;
    again.layer_is_lost = !made;
    if (made) again.outcome = std::move(made).value();
    self->over_.push_back(std::move(again));
    self->wake();
  });
}

}  // namespace glovebox::workflow
