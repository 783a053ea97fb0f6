// The journal of one run: in memory until the run first waits for a person, in the store from then on.
//
// Nothing waits for the store here. Entries come on the Sandbox's thread and are posted to the store's, which writes
// them in their order; what must not happen before they are safe is notified when they are. So the run itself may be
// ahead of its journal, but nothing that it does outside ever is: the gateway that resumes it after a crash comes to a
// point from which the rest follows again. The other members are called on the gateway's thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "glovebox/journal.h"
#include "store/store.h"

namespace glovebox::gateway {

class RunJournal : public std::enable_shared_from_this<RunJournal> {
 public:
  // `on_failure` is called once, on any thread, when the journal can no longer be written. A store that is away is no
  // failure: see waits_since().
  RunJournal(store::Store& store, std::string run, std::function<void(const Failure&)> on_failure);
  // Takes up what is in the store.
  Result<std::vector<JournalEntry>> load();

  void add(JournalEntry entry);
  // For RunRequest::before_call.
  void before_call(bool acts, std::function<void()> go);

  // To the store, once: one that has become too large stays out of it.
  void keep();
  // Before a call leaves that must not be made `twice`: it is marked as begun. With `keep`, the journal is in the store
  // with it, or, where it is too large, at least word that there is such a call. False: there is nothing to wait for.
  bool begin_call(std::uint64_t call, bool twice, bool keep);
  // Once all that has been said so far is in the store: on any thread, perhaps at once. Not called at all when it
  // cannot be written.
  void when_written(std::function<void()> then);
  // Since when something has yet to be written; nothing when all is.
  std::optional<std::chrono::steady_clock::time_point> waits_since() const;

  // Its end is posted, and drops the journal: what is yet to be written of it need not be.
  void will_be_dropped();

  bool is_kept() const;
  bool has_been_kept() const;  // something of it may be in the store
  std::uint64_t size() const;  // entries, of all lives
  // All of it, of a run that has ended; nothing when it was too large, or was never kept.
  std::optional<std::vector<JournalEntry>> whole() const;
  bool was_begun(std::uint64_t call) const;
  bool has_begun() const;  // any, in whichever life

  // Calls that have been made, in whichever life, and not answered: their ops by their ids.
  std::map<std::uint64_t, std::string> open_calls() const;
  std::chrono::steady_clock::time_point last_entry() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Unwritten {
    std::size_t bytes;
    Clock::time_point since;
  };
  struct Waiter {
    std::uint64_t number;  // of the last write that it waits for
    std::function<void()> then;
  };

  // With the mutex.
  void post(std::size_t bytes, std::function<Result<void>(store::Store&)> write, store::Haste haste);
  void post_all();
  void give_up();
  void follow(const JournalEntry& entry);
  void forget_if_large();

  void on_written(Result<void> written);

  store::Store& store_;
  const std::string run_;
  std::function<void(const Failure&)> on_failure_;
  mutable std::mutex mutex_;
  bool replayable_ = true;
  bool kept_ = false;
  bool forgotten_ = false;             // entries are in the store only
  std::vector<JournalEntry> entries_;  // all of them, or none once they are in the store and large
  std::map<std::uint64_t, std::string> open_;
  std::set<std::uint64_t> begun_;
  std::uint64_t next_ = 0;
  std::size_t bytes_ = 0;
  Clock::time_point last_{};
  std::uint64_t written_ = 0;        // how many writes are done
  std::deque<Unwritten> unwritten_;  // those after them
  std::size_t unwritten_bytes_ = 0;
  std::vector<Waiter> waiters_;
  std::shared_ptr<std::atomic<bool>> dropped_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace glovebox::gateway
