#include "replay/replay.h"

#include <simdjson.h>

#include <algorithm>
#include <optional>
#include <unordered_set>

#include "wire/data_frame.h"
#include "wire/frame.h"
#include "wire/json_members.h"
#include "wire/limits.h"

namespace glovebox::replay {
namespace {

namespace dom = simdjson::dom;

Failure damaged(const std::string& why) {
  return {ErrorCode::kInvalidArgument, "history: " + why};
}

// The next frame's payload; empty if there is no complete one.
std::string_view next_payload(std::string_view& frames) {
  if (frames.size() <= wire::kPrefixBytes) return {};
  std::size_t length = 0;
  for (std::size_t i = 0; i < wire::kPrefixBytes; ++i) {
    length |= static_cast<std::size_t>(static_cast<unsigned char>(frames[i])) << (8 * i);
  }
  frames.remove_prefix(wire::kPrefixBytes);
  if (length == 0 || length > frames.size()) return {};
  const std::string_view payload = frames.substr(0, length);
  frames.remove_prefix(length);
  return payload;
}

std::optional<calls::CallError> read_error(std::string_view json) {
  dom::parser parser;
  dom::object error;
  std::string_view name, code, message;
  if (parser.parse(simdjson::padded_string(json)).get_object().get(error) != simdjson::SUCCESS ||
      error["name"].get_string().get(name) != simdjson::SUCCESS ||
      error["code"].get_string().get(code) != simdjson::SUCCESS ||
      error["message"].get_string().get(message) != simdjson::SUCCESS) {
    return std::nullopt;
  }
  const auto members = wire::JsonMembers::split(json);
  return calls::CallError{std::string(name), std::string(code), std::string(message),
                          std::string(members ? members->raw("data") : std::string_view())};
}

}  // namespace

// Accepts data frames of this call, then its reply, and nothing else.
std::optional<RecordedReply> read_reply(const JournalEntry& entry, std::string* body) {
  std::string_view frames = entry.frames;
  RecordedReply reply;
  reply.frames = entry.frames;
  std::uint64_t bytes = 0;
  std::string_view payload = next_payload(frames);
  for (; wire::is_data(payload); payload = next_payload(frames)) {
    const auto piece = wire::read_data(payload);
    if (!piece || piece->call_id != entry.call_id) return std::nullopt;
    bytes += piece->bytes.size();
    if (body) body->append(piece->bytes);
  }
  const auto members = wire::JsonMembers::split(payload);
  if (!frames.empty() || !members || members->word("frame") != "reply" ||
      members->integer("id") != static_cast<long long>(entry.call_id)) {
    return std::nullopt;
  }
  const auto now = members->integer("now");
  reply.ok = members->raw("ok") == "true";
  reply.body_bytes = bytes;
  if (!now) return std::nullopt;
  reply.now_ms = *now;
  if (reply.ok) {
    reply.value_json = members->raw("value");
    if (members->integer("body") != static_cast<long long>(bytes) || reply.value_json.empty()) return std::nullopt;
    return reply;
  }
  auto error = read_error(members->raw("error"));
  if (!error) return std::nullopt;
  reply.error = std::move(*error);
  return reply;
}

std::string RecordedReply::body() const {
  std::string whole;
  whole.reserve(body_bytes);
  std::string_view left = frames;
  for (std::string_view payload = next_payload(left); wire::is_data(payload); payload = next_payload(left)) {
    if (const auto piece = wire::read_data(payload)) whole += piece->bytes;
  }
  return whole;
}

Result<Replay> Replay::of(std::vector<JournalEntry> history) {
  Replay replay(std::move(history));
  std::unordered_set<std::uint64_t> open;
  std::uint64_t last_id = 0;
  for (const JournalEntry& entry : *replay.history_) {
    const std::string which = "call " + std::to_string(entry.call_id);
    if (entry.kind == JournalEntry::Kind::kCall) {
      if (entry.call_id <= last_id) return damaged(which + " comes twice or too late");
      last_id = entry.call_id;
      open.insert(entry.call_id);
      continue;
    }
    if (open.erase(entry.call_id) == 0) return damaged(which + " is answered twice, or was never made");
    auto reply = read_reply(entry);
    if (!reply) return damaged("the reply to " + which + " is damaged");
    replay.last_now_ms_ = std::max(replay.last_now_ms_, reply->now_ms);
    replay.replies_.emplace(entry.call_id, std::move(*reply));
  }
  return replay;
}

const RecordedReply* Replay::reply_to(std::uint64_t call_id) const {
  const auto found = replies_.find(call_id);
  return found == replies_.end() ? nullptr : &found->second;
}

bool Replay::accept(std::uint64_t call_id, std::string_view op, std::string_view digest) {
  if (is_over()) return false;
  const JournalEntry& next = (*history_)[at_];
  if (next.kind != JournalEntry::Kind::kCall || next.call_id != call_id || next.op != op || next.digest != digest) {
    return false;
  }
  ++at_;
  return true;
}

const JournalEntry* Replay::take_reply() {
  if (is_over() || (*history_)[at_].kind != JournalEntry::Kind::kReply) return nullptr;
  return &(*history_)[at_++];
}

}  // namespace glovebox::replay
