// Answers the calls of a run from a recorded one whose code may differ: finds which answer belongs to a call, and when
// it is given.
//
// Answers are given in the order in which they were recorded, each once all calls have been made that had been made by
// then. Code that leaves out a call would wait forever: when it can only wait, the next answer is given anyway.
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

  // Not part of a recording: the owner's environment, which may be secret, and Python's wheels and artifacts, which are
  // served as in any run.
  static bool is_recorded(std::string_view op);

  void open(const calls::Call& call);
  void set_body_digest(std::uint64_t call_id, std::string digest);

  struct Due {
    std::uint64_t call_id = 0;
    const RecordedCall* answer = nullptr;      // null: there is none, or
    std::optional<std::int64_t> wake_ms = {};  // set: the end of a sleep, which needs no recording
  };
  // Takes the next answer that is due.
  std::optional<Due> take();
  // For code that can only wait: takes the next answer even if it is not due.
  std::optional<Due> take_while_idle();

  // What the code's clock shows.
  std::int64_t now_ms() const { return now_ms_; }

 private:
  Due give(std::map<std::size_t, std::uint64_t>::iterator held);

  std::shared_ptr<Rehearsal> rehearsal_;
  std::int64_t now_ms_;
  std::unordered_map<std::string, std::vector<std::size_t>> unused_;  // by key_of(), the last call first
  std::vector<bool> was_made_;                                        // by recorded call
  std::size_t made_first_ = 0;                                        // how many, from the first, were all made
  std::unordered_map<std::uint64_t, std::size_t> place_;              // by call id: its index in rehearsal_->made
  std::vector<std::uint64_t> without_;                                // calls that have no recording
  std::multimap<std::int64_t, std::uint64_t> sleeps_;                 // sleeps that have no recording, by their end
  std::map<std::size_t, std::uint64_t> held_;                         // calls whose answer waits for its turn, by turn
  std::map<std::size_t, std::size_t> recorded_;                       // by turn: the index of the recorded call
  std::vector<std::uint64_t> never_;                                  // recorded as unanswered
};

}  // namespace glovebox::replay
