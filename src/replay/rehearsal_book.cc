#include "replay/rehearsal_book.h"

#include <algorithm>
#include <cmath>

#include "base/text/canonical_json.h"
#include "replay/replay.h"

namespace glovebox::replay {
namespace {

// Equal for calls that ask for the same.
std::string key_of(std::string_view op, std::string_view arguments) {
  auto form = base::canonical_json(arguments);
  return std::string(op) + '\n' + (form ? std::move(form).value() : std::string(arguments));
}

}  // namespace

RehearsalBook::RehearsalBook(std::shared_ptr<Rehearsal> rehearsal, std::int64_t now_ms)
    : rehearsal_(std::move(rehearsal)), now_ms_(now_ms), was_made_(rehearsal_->calls.size()) {
  rehearsal_->made.clear();
  const auto& calls = rehearsal_->calls;
  for (std::size_t i = calls.size(); i-- > 0;) unused_[key_of(calls[i].op, calls[i].arguments)].push_back(i);
}

bool RehearsalBook::is_recorded(std::string_view op) {
  return !op.starts_with("env.") && !op.starts_with("python.") && op != "emit";
}

void RehearsalBook::open(const calls::Call& call) {
  place_[call.id] = rehearsal_->made.size();
  RehearsedCall& made = rehearsal_->made.emplace_back();
  made.op = call.op;
  made.arguments = call.arguments_json;
  const auto found = unused_.find(key_of(call.op, call.arguments_json));
  if (found == unused_.end() || found->second.empty()) {
    const auto until = call.op == "sleep" ? call.arguments.number("until") : std::nullopt;
    // Nothing waits in real time: the clock jumps to the end of the sleep.
    if (until && std::abs(*until) < 1e16) {
      sleeps_.emplace(static_cast<std::int64_t>(std::ceil(*until)), call.id);
    } else {
      without_.push_back(call.id);
    }
    return;
  }
  const std::size_t index = found->second.back();
  found->second.pop_back();
  made.recorded = index;
  was_made_[index] = true;
  while (made_first_ < was_made_.size() && was_made_[made_first_]) ++made_first_;
  const RecordedCall& recorded = rehearsal_->calls[index];
  if (!recorded.is_answered) return never_.push_back(call.id);
  held_[recorded.turn] = call.id;
  recorded_[recorded.turn] = index;
}

void RehearsalBook::set_body_digest(std::uint64_t call_id, std::string digest) {
  if (const auto place = place_.find(call_id); place != place_.end()) {
    rehearsal_->made[place->second].body_digest = std::move(digest);
  }
}

RehearsalBook::Due RehearsalBook::give(std::map<std::size_t, std::uint64_t>::iterator held) {
  const Due due{held->second, &rehearsal_->calls[recorded_[held->first]]};
  now_ms_ = std::max(now_ms_, due.answer->now_ms);
  held_.erase(held);
  return due;
}

std::optional<RehearsalBook::Due> RehearsalBook::take() {
  if (!without_.empty()) {
    const Due due{without_.front()};
    without_.erase(without_.begin());
    return due;
  }
  if (held_.empty() || rehearsal_->calls[recorded_[held_.begin()->first]].after > made_first_) return std::nullopt;
  return give(held_.begin());
}

std::optional<RehearsalBook::Due> RehearsalBook::take_while_idle() {
  if (!held_.empty()) return give(held_.begin());
  if (!sleeps_.empty()) {
    const auto first = sleeps_.begin();
    const Due due{first->second, nullptr, first->first};
    now_ms_ = std::max(now_ms_, first->first);
    sleeps_.erase(first);
    return due;
  }
  if (never_.empty()) return std::nullopt;
  const Due due{never_.front()};
  never_.erase(never_.begin());
  return due;
}

}  // namespace glovebox::replay

namespace glovebox {

Result<std::vector<RecordedCall>> recorded_calls(const std::vector<JournalEntry>& journal) {
  // Rejects a journal that no run can have written.
  if (const auto whole = replay::Replay::of(journal); !whole) return whole.failure();
  std::vector<RecordedCall> calls;
  std::unordered_map<std::uint64_t, std::size_t> place;
  std::size_t turn = 0;
  for (const JournalEntry& entry : journal) {
    if (entry.kind == JournalEntry::Kind::kCall) {
      if (!replay::RehearsalBook::is_recorded(entry.op)) continue;
      if (entry.arguments.empty())
        return Failure{ErrorCode::kNotFound,
                       "history: it does not say what call " + std::to_string(entry.call_id) + " asked for"};
      place[entry.call_id] = calls.size();
      RecordedCall& call = calls.emplace_back();
      call.op = entry.op;
      call.arguments = entry.arguments;
      continue;
    }
    const auto found = place.find(entry.call_id);
    if (found == place.end()) continue;
    RecordedCall& call = calls[found->second];
    const auto reply = replay::read_reply(entry, &call.bytes);
    call.is_answered = true;
    call.body_digest = entry.body_digest;
    call.ok = reply->ok;
    call.now_ms = reply->now_ms;
    call.turn = turn++;
    call.after = calls.size();
    if (reply->ok) {
      call.value_json = reply->value_json;
      // A large value of a tool was sent as bytes.
      if (call.op == "tool" && !call.bytes.empty()) call.value_json = std::exchange(call.bytes, {});
    } else {
      call.error_name = reply->error.name;
      call.error_code = reply->error.code;
      call.error_message = reply->error.message;
      call.error_data = reply->error.data;
    }
  }
  return calls;
}

}  // namespace glovebox
