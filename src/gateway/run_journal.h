// The journal of one run: in memory until the run first waits for a person, in the store from then on.
//
// Entries come on the Sandbox's thread and are written before it goes on; the rest is called on the gateway's.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "glovebox/journal.h"
#include "store/store.h"

namespace glovebox::gateway {

class RunJournal {
 public:
  // `on_failure` is called once, on any thread, when the journal can no longer be written.
  RunJournal(store::Store& store, std::string run, std::function<void(const Failure&)> on_failure);
  // Takes up what is in the store.
  Result<std::vector<JournalEntry>> load();

  void add(JournalEntry entry);

  // To the store, once: one that has become too large stays out of it.
  Result<void> keep();
  bool is_kept() const;
  std::uint64_t size() const;  // entries, of all lives
  // All of it, of a run that has ended; nothing when it was too large, or was never kept.
  std::optional<std::vector<JournalEntry>> whole() const;
  // Before a call leaves: it must not be made again. Fails where that cannot be written down.
  Result<void> begin_call(std::uint64_t call);
  bool was_begun(std::uint64_t call) const;

  // Calls that have been made, in whichever life, and not answered: their ops by their ids.
  std::map<std::uint64_t, std::string> open_calls() const;
  std::chrono::steady_clock::time_point last_entry() const;

 private:
  void give_up();
  void follow(const JournalEntry& entry);

  store::Store& store_;
  const std::string run_;
  std::function<void(const Failure&)> on_failure_;
  mutable std::mutex mutex_;
  bool replayable_ = true;
  bool kept_ = false;
  std::vector<JournalEntry> entries_;  // until it is kept
  std::map<std::uint64_t, std::string> open_;
  std::set<std::uint64_t> begun_;
  std::uint64_t next_ = 0;
  std::size_t bytes_ = 0;
  std::chrono::steady_clock::time_point last_{};
};

}  // namespace glovebox::gateway
