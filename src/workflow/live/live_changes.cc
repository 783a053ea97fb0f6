// What a live workflow does with the files that its tasks write.
#include <sys/stat.h>

#include <boost/asio/post.hpp>

#include "base/try.h"
#include "store/database/failpoint.h"
#include "store/database/patience.h"
#include "workflow/disk_name.h"
#include "workflow/live/live_workflow.h"

namespace glovebox::workflow {
namespace {

std::uint64_t inode_of(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

}  // namespace

// The changes go to the disk before the task's checkpoint, since the disk cannot take part in the transaction. What
// will change is saved first, so that after a crash in between, the disk shows whether it happened. One task after the
// other: between the two, no other task of this workflow may change the same files.
Result<void> LiveWorkflow::announce(RunOver over) {
  if (commits_) {
    to_commit_.push_back(std::move(over));
    return {};
  }
  Entry& entry = entries_[over.place];
  json::array list;
  for (const Change& change : over.outcome->changes.changes()) {
    list.push_back(json::object{
        {"path", change.path}, {"kind", glovebox::name_of(change.kind)}, {"inode", inode_of(change.path)}});
  }
  auto detail = json::parse(detail_of(entry)).get_object();
  detail["commit"] = std::move(list);
  detail["disk"] = GLOVEBOX_TRY(disk_name(shared_->options.state_folder));
  entry.record.detail = json::serialize(detail);
  commits_ = true;
  store::WorkflowStep step;
  step.tasks.push_back(entry.record);
  const auto lease = std::make_shared<std::optional<store::Lease>>();
  shared_->store.post_write(
      [fence = fence_, step = std::move(step), lease](store::Store& store) -> Result<void> {
        GLOVEBOX_TRY(store.save_step(fence, step));
        *lease = GLOVEBOX_TRY(store.hold_lease());
        return {};
      },
      [weak = weak_from_this(), executor = shared_->executor, lease,
       over = std::make_shared<RunOver>(std::move(over))](Result<void> announced) {
        if (weak.expired()) return;
        boost::asio::post(executor, [weak, lease, over, announced = std::move(announced)] {
          const auto self = weak.lock();
          if (!self || self->left_) return;
          if (!announced) return self->lose(announced.failure().message);
          over->lease = *lease;
          self->over_.push_back(std::move(*over));
          self->wake();
        });
      });
  return {};
}

// The announced changes are in place, or never will be.
void LiveWorkflow::end_announcement() {
  commits_ = false;
  if (to_commit_.empty()) return;
  over_.insert(over_.end(), std::make_move_iterator(to_commit_.begin()), std::make_move_iterator(to_commit_.end()));
  to_commit_.clear();
  wake();
}

// The disk may take seconds, so it has a thread of its own. Until it is done, nothing else happens to this workflow.
void LiveWorkflow::commit(RunOver over) {
  committing_ = std::make_shared<Committing>();
  committing_->over = std::move(over);
  shared_->disk->post([committing = committing_, shared = shared_, weak = weak_from_this()]() mutable {
    committing->committed = put_in_place(*committing, shared->store);
    boost::asio::post(shared->executor, [weak, committing = std::move(committing)] {
      if (const auto self = weak.lock()) self->on_committed(committing);
    });
  });
}

// A gateway that is stopped here beyond its lease is declared dead, and another writes these files where it runs. So no
// file is put in place after the lease that the store has granted, unless it is renewed. A gateway that was declared
// dead joins again as another node, whose lease says nothing about these files: it has dropped them before.
Result<void> LiveWorkflow::put_in_place(Committing& committing, store::Store& store) {
  const store::NoPatience hurried;
  ChangeSet changes = committing.over.outcome->changes;
  Result<store::Lease> lease = *committing.over.lease;
  auto committed = changes.commit([&] {
    while (lease && !lease->holds()) lease = store.hold_lease();
    store::failpoint("commit_files", "next");
    return lease.ok() && !committing.dropped;
  });
  if (lease && !committing.dropped) return committed;
  changes.drop();
  if (lease) return committed;
  if (lease.failure().code == ErrorCode::kConflict) committing.lost = lease.failure();
  return lease.failure();
}

void LiveWorkflow::on_committed(const std::shared_ptr<Committing>& committing) {
  if (committing_ != committing || left_) return;
  committing_ = nullptr;
  if (committing->lost) return lose(committing->lost->message);
  committing->over.committed = *committing->committed;
  over_.push_back(std::move(committing->over));
  wake();
}

// Whether the files of a run that ended well are on the disk of this gateway.
LiveWorkflow::Files LiveWorkflow::find_files(std::size_t place) const {
  json::error_code wrong;
  const json::value detail = json::parse(entries_[place].record.detail, wrong);
  const json::object* members = !wrong ? detail.if_object() : nullptr;
  const json::value* list = members ? members->if_contains("commit") : nullptr;
  if (!list || !list->is_array()) return Files::kNotWritten;
  const auto here = disk_name(shared_->options.state_folder);
  const json::value* disk = members->if_contains("disk");
  if (!here || !disk || !disk->is_string()) return Files::kUncertain;
  // Another gateway may have written them on its disk: they are not here, where the rest of the workflow continues.
  if (disk->get_string() != here.value()) return Files::kNotWritten;
  bool all = true;
  bool none = true;
  for (const json::value& item : list->get_array()) {
    const json::object& change = item.get_object();
    const std::uint64_t now = inode_of(std::string(change.at("path").as_string()));
    // A new version is a new file, so its inode differs.
    const bool happened = change.at("kind").as_string() == "deleted"
                              ? now == 0
                              : now != 0 && now != change.at("inode").to_number<std::uint64_t>();
    all = all && happened;
    none = none && !happened;
  }
  return all ? Files::kWritten : none ? Files::kNotWritten : Files::kUncertain;
}

// The task continues as if its run had ended only now, with the overlay that the run would have.
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
