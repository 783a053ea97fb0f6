// Steps through a run's history during replay: which call comes next, and what its reply was.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "calls/call.h"
#include "glovebox/journal.h"
#include "glovebox/result.h"

namespace glovebox::replay {

// A reply of an earlier attempt. Its string views refer to the history.
struct RecordedReply {
  bool ok = false;
  std::string_view value_json;
  calls::CallError error;
  std::uint64_t body_bytes = 0;
  std::int64_t now_ms = 0;
  std::string_view frames;

  // The bytes that came with it, such as the content of a file.
  std::string body() const;
};

// Nothing if the entry is not a complete reply to its call. Appends the bytes that came with it to `body`, if given.
std::optional<RecordedReply> read_reply(const JournalEntry& entry, std::string* body = nullptr);

class Replay {
 public:
  // Refuses what no run can have written: replies to calls that were not made, invalid frames.
  static Result<Replay> of(std::vector<JournalEntry> history);

  // Every call has been made again and every reply given.
  bool is_over() const { return at_ == history_->size(); }
  // The last time that the code's clock showed.
  std::int64_t last_now_ms() const { return last_now_ms_; }

  // Null when it was not answered.
  const RecordedReply* reply_to(std::uint64_t call_id) const;

  // Whether this is the next entry of the history; if so, moves past it.
  bool accept(std::uint64_t call_id, std::string_view op, std::string_view digest);
  // The next reply, if it was given before the next call was made; null otherwise.
  const JournalEntry* take_reply();
  // Keeps the history alive.
  std::shared_ptr<const void> owner() const { return history_; }

 private:
  explicit Replay(std::vector<JournalEntry> history)
      : history_(std::make_shared<const std::vector<JournalEntry>>(std::move(history))) {}

  std::shared_ptr<const std::vector<JournalEntry>> history_;
  std::unordered_map<std::uint64_t, RecordedReply> replies_;
  std::size_t at_ = 0;
  std::int64_t last_now_ms_ = 0;
};

}  // namespace glovebox::replay
