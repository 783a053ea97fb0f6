// The journal of one run: in memory until it must outlive its guest (the run waits for a person, a careful run acts,
// the gateway parks it), in the store from then on.
//
// Nothing waits for the store here. Entries come on the Sandbox's thread and are posted to the store's, which writes
// them in order; whatever must not happen before they are durable waits for a callback. So the run itself may be ahead
// of its journal, but none of its effects ever is: after a crash, the gateway that resumes it comes to a point from
// which the rest follows again. The other members are called on the gateway's thread.
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
  // The journal as it is in the store.
  struct Stored {
    std::vector<JournalEntry> entries;
    std::vector<std::uint64_t> begun;  // calls
  };
  static Result<Stored> read(store::Store& store, const std::string& run);
  // Continues it, and returns its entries.
  std::vector<JournalEntry> load(Stored stored);

  void add(JournalEntry entry);
  // For RunRequest::before_call.
  void before_call(bool acts, std::function<void()> go);

  // Puts the journal into the store, once, unless it has become too large.
  void keep();
  // Before a call that must not be made `twice`: marks it as begun. With `keep`, the journal is stored with it or, if
  // too large, at least a mark that there is such a call. False: there is nothing to wait for.
  bool begin_call(std::uint64_t call, bool twice, bool keep);
  // Calls `then` once everything so far is in the store: on any thread, perhaps at once. Never if it cannot be written.
  void when_written(std::function<void()> then);
  // Since when something has been waiting to be written; nothing when all is written.
  std::optional<std::chrono::steady_clock::time_point> waits_since() const;

  // The run's end is posted, and drops the journal: entries that are not written yet need not be.
  void will_be_dropped();

  bool is_kept() const;
  bool has_been_kept() const;  // parts of it may be in the store
  std::uint64_t size() const;  // entries, of all attempts
  // All entries; nothing when they were too large, or could not be written.
  std::optional<std::vector<JournalEntry>> whole() const;
  bool was_begun(std::uint64_t call) const;
  bool has_begun() const;  // any call, in any attempt

  // Calls that have been made, in any attempt, and not answered: their ops by their ids.
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

  // With the mutex held.
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
  std::deque<Unwritten> unwritten_;  // the writes after them
  std::size_t unwritten_bytes_ = 0;
  std::vector<Waiter> waiters_;
  std::shared_ptr<std::atomic<bool>> dropped_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace glovebox::gateway
