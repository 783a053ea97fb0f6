// The part of Store that runs on its own thread, and how direct calls stay clear of it.
#include "store/database/failpoint.h"
#include "store/database/patience.h"
#include "store/store.h"

namespace glovebox::store {

void Store::post_write(std::function<Result<void>(Store&)> work, Done done, bool survives_power, Haste haste) {
  thread_.post(
      PostedWrite{survives_power, haste, [this, work = std::move(work)] { return work(*this); }, std::move(done)});
}

void Store::post(std::function<void(Store&)> work) {
  thread_.post([this, work = std::move(work)] { work(*this); });
}

Result<void> Store::wait_for_posted() {
  const auto turn = GLOVEBOX_TRY(take_turn());
  return {};
}

// One commit for all of them. If one fails, the others must not: each is then written alone.
void Store::carry_out(std::vector<PostedWrite>& writes) {
  const auto shared = writes.size() > 1 ? carry_out_together(writes) : Result<void>();
  const bool together = writes.size() > 1 && shared.ok();
  if (!shared && database_->may_recover()) return set_why_away(shared.failure().message);
  auto next = writes.begin();
  for (; next != writes.end(); ++next) {
    Result<void> done;
    if (!together) done = next->work();
    if (!done && database_->may_recover()) {
      set_why_away(done.failure().message);
      break;
    }
    if (next->done) next->done(std::move(done));
  }
  writes.erase(writes.begin(), next);
  if (writes.empty()) set_why_away("");
}

void Store::set_why_away(std::string why) {
  const std::lock_guard lock(why_away_mutex_);
  why_away_ = std::move(why);
}

std::string Store::why_away() const {
  const std::lock_guard lock(why_away_mutex_);
  return why_away_;
}

Result<void> Store::carry_out_together(std::vector<PostedWrite>& writes) {
  bool survives_power = false;
  for (const PostedWrite& write : writes) survives_power = survives_power || write.survives_power;
  Together together;
  auto done = database_->write({"together", survives_power}, [&]() -> Result<void> {
    together = {};
    together_ = &together;
    Result<void> all;
    for (auto write = writes.begin(); all && write != writes.end(); ++write) all = write->work();
    together_ = nullptr;
    return all;
  });
  if (!done) return done;
  for (const char* name : together.names) failpoint(name, "committed");
  return done;
}

// A thread that serves others never reconnects: the store's own thread does, and until then such calls fail.
Result<StoreThread::Turn> Store::take_turn() {
  GLOVEBOX_CHECK(!QueueOnly::here());
  auto turn = GLOVEBOX_TRY(thread_.take_turn());
  if (!NoPatience::here() || !database_->is_lost()) return turn;
  find_way_back();
  return store_is_away();
}

void Store::find_way_back() {
  if (!NoPatience::here() || !database_->is_lost() || finds_way_back_.exchange(true)) return;
  const auto reach = [](Store& store) {
    return store.read([&]() -> Result<void> {
      auto row = GLOVEBOX_TRY(store.database_->prepare("SELECT 1"));
      return row.run();
    });
  };
  post_write(
      reach, [this](const Result<void>&) { finds_way_back_ = false; }, false);
}

}  // namespace glovebox::store
