// Answers of a recorded run, for code that may be another: which answer belongs to a call, and when it is given.
//
// Answers come in the order in which they were recorded, each once all calls were made that had been made by then. Code
// that leaves a call out would wait for ever: when it can do nothing but wait, the next answer is given all the same.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "calls/call.h"
#include "glovebox/rehearsal.h"

namespace glovebox::replay {

class RehearsalBook {
 public:
  RehearsalBook(std::shared_ptr<Rehearsal> rehearsal, std::int64_t now_ms);

  // What is asked of the owner's own environment is no part of a recording: it may be secret.
  static bool is_recorded(std::string_view op);

  void open(const calls::Call& call);
  void set_body_digest(std::uint64_t call_id, std::string digest);

  struct Due {
    std::uint64_t call_id = 0;
    const RecordedCall* answer = nullptr;      // null: there is none, or
    std::optional<std::int64_t> wake_ms = {};  // the end of a sleep, which needs no recording
  };
  // Takes the next answer whose time has come.
  std::optional<Due> take();
  // The code waits and will do nothing else: takes the answer that comes next anyhow.
  std::optional<Due> take_while_idle();

  // What the code's clock shows.
  std::int64_t now_ms() const { return now_ms_; }

 private:
  Due give(std::map<std::size_t, std::uint64_t>::iterator held);

  std::shared_ptr<Rehearsal> rehearsal_;
  std::int64_t now_ms_;
  std::unordered_map<std::string, std::vector<std::size_t>> unused_;  // by what was asked, the last one first
  std::vector<bool> was_made_;                                        // of the recorded calls
  std::size_t made_first_ = 0;                                        // all of these were made
  std::unordered_map<std::uint64_t, std::size_t> place_;              // of a call, in rehearsal_->made
  std::vector<std::uint64_t> without_;                                // calls that have no answer
  std::multimap<std::int64_t, std::uint64_t> sleeps_;                 // that were not recorded, by their end
  std::map<std::size_t, std::uint64_t> held_;                         // calls that have one, by its turn
  std::map<std::size_t, std::size_t> recorded_;                       // turn: which recorded call
  std::vector<std::uint64_t> never_;                                  // recorded as unanswered
};

}  // namespace glovebox::replay
