#include "broker/call_desk.h"

#include <cstring>

#include "base/json_text.h"
#include "broker/log_text.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

// What a person can take in at a glance; the whole is in the code that they have.
constexpr std::size_t kMaxTraceTextBytes = 1024;
constexpr std::size_t kMaxTraceArgumentsBytes = 4096;

// Calls that nobody outside needs to know of: they reach nothing, or are steps of one that is on the record.
bool is_on_record(std::string_view op) {
  return op != "sleep" && op != "net.read" && op != "net.send" && op != "net.cancel";
}

// Cut between characters of UTF-8.
std::string_view short_text(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  while (max_bytes > 0 && (static_cast<unsigned char>(text[max_bytes]) & 0xc0) == 0x80) --max_bytes;
  return text.substr(0, max_bytes);
}

std::string for_trace(std::string_view text, std::size_t max_bytes = kMaxTraceTextBytes) {
  return neutralise(short_text(text, max_bytes));
}

// A message repeats what the guest wrote, which may be a megabyte, and waits in our memory until the guest has read it.
void shorten_message(std::string& message) {
  message.resize(short_text(message, wire::kMaxErrorTextBytes).size());
}

std::string failure_text(const CallError& error) {
  return R"(,"ok":false,"error":{"name":)" + base::json_string(error.name) +
         ",\"code\":" + base::json_string(error.code) + ",\"message\":" + base::json_string(error.message) + "}";
}

std::string_view family_of(std::string_view op) {
  return op.substr(0, op.find('.'));
}

OutgoingBytes as_outgoing(std::string frame) {
  auto owned = std::make_shared<const std::string>(std::move(frame));
  const std::string_view bytes = *owned;
  return {std::move(owned), bytes, {}, false};
}

}  // namespace

void CallDesk::add(std::string family, std::unique_ptr<CallHandler> handler) {
  handlers_[std::move(family)] = std::move(handler);
}

void CallDesk::open(Call call) {
  // Ids only grow: one that comes again, or out of order, is not from our bridge. An answer that the guest has not
  // read is still in flight: it waits here, in our memory.
  if (body_) return links_.violation("a call inside another's bytes");
  if (call.id <= last_id_) return links_.violation("a call's id that came before");
  if (open_.size() + unread_replies_ >= wire::kMaxCallsInFlight) return links_.violation("too many calls at once");
  last_id_ = call.id;
  const auto handler = handlers_.find(family_of(call.op));
  if (handler == handlers_.end()) return links_.violation("a call of something that does not exist");
  open_[call.id] = {call.op, "", std::chrono::steady_clock::now(), call.body_bytes, ""};
  if (call.body_bytes > 0) body_ = IncomingBody{call.id, call.body_bytes, nullptr};
  const auto self = shared_from_this();  // an answer may end the run
  auto sink = handler->second->handle(call, std::make_shared<Answer>(weak_from_this(), call.id));
  if (body_) body_->sink = std::move(sink);
}

void CallDesk::data(const wire::DataPiece& piece) {
  if (!body_ || piece.call_id != body_->call_id || piece.bytes.size() > body_->left) {
    return links_.violation("bytes that belong to no call");
  }
  body_->left -= piece.bytes.size();
  const bool last = body_->left == 0;
  const auto sink = body_->sink;
  if (last) body_.reset();
  if (!sink) return;
  links_.pause_reading(true);
  sink->take(std::string(piece.bytes), last, [desk = weak_from_this()] {
    const auto self = desk.lock();
    if (self && !self->ended_) self->links_.pause_reading(false);
  });
}

void CallDesk::end(std::function<void()> ended) {
  if (ended_) return;
  ended_ = true;
  for (const auto& [id, call] : std::exchange(open_, {})) {
    if (!is_on_record(call.op)) continue;
    trace_.add({call.op, call.target, TraceEntry::Outcome::kUnfinished, "", 0, 0, call.arguments});
  }
  // Called by the last of them, or here when there is none.
  auto all = std::shared_ptr<void>(nullptr, [ended = std::move(ended)](void*) { ended(); });
  for (const auto& [family, handler] : handlers_) handler->end([all] {});
}

void CallDesk::send_reply(std::uint64_t id, std::string_view rest, std::optional<std::int64_t> now_ms,
                          std::function<void()> sent) {
  std::string frame = wire::begin_frame(rest.size() + 96);
  frame += R"({"frame":"reply","id":)" + std::to_string(id);
  frame += ",\"now\":" + std::to_string(now_ms ? *now_ms : links_.now_ms());
  frame += rest;
  frame += '}';
  wire::end_frame(frame);
  OutgoingBytes reply = as_outgoing(std::move(frame));
  ++unread_replies_;
  reply.sent = [desk = weak_from_this(), sent = std::move(sent)] {
    const auto self = desk.lock();
    if (!self) return;
    --self->unread_replies_;
    if (sent) sent();
  };
  links_.send(std::move(reply));
}

void CallDesk::close(std::uint64_t id, TraceEntry::Outcome outcome, std::string_view error, std::uint64_t bytes) {
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  const OpenCall call = std::move(found->second);
  open_.erase(found);
  if (!is_on_record(call.op)) return;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - call.since;
  trace_.add({call.op, call.target, outcome, for_trace(error), took.count(), bytes + call.body_bytes, call.arguments});
}

bool Answer::is_awaited() const {
  const auto desk = desk_.lock();
  return desk && desk->open_.contains(call_id_);
}

void Answer::about(std::string target, std::string_view arguments) {
  if (!is_awaited()) return;
  CallDesk::OpenCall& call = desk_.lock()->open_[call_id_];
  call.target = for_trace(target);
  call.arguments = for_trace(arguments, kMaxTraceArgumentsBytes);
}

std::size_t Answer::unsent_bytes() const {
  const auto desk = desk_.lock();
  return desk ? desk->links_.unsent_bytes() : 0;
}

void Answer::value(std::string value_json, std::uint64_t body_bytes, std::function<void()> sent) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  desk->close(call_id_, TraceEntry::Outcome::kOk, "", body_bytes);
  std::string rest = ",\"ok\":true,\"body\":" + std::to_string(body_bytes) + ",\"value\":";
  rest += value_json;
  desk->send_reply(call_id_, rest, {}, std::move(sent));
}

void Answer::value_at(std::int64_t now_ms, std::string value_json) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  desk->close(call_id_, TraceEntry::Outcome::kOk, "", 0);
  desk->send_reply(call_id_, ",\"ok\":true,\"body\":0,\"value\":" + value_json, now_ms);
}

void Answer::value_with_bytes(std::string value_json, std::string_view bytes) {
  for (std::string_view left = bytes; !left.empty();) {
    const std::string_view piece = left.substr(0, wire::kMaxDataBytes);
    left.remove_prefix(piece.size());
    std::string frame(wire::kPrefixBytes + wire::kDataHeaderBytes, '\0');
    wire::write_data_header(frame.data(), call_id_, bytes.size(), piece.size());
    frame += piece;
    OutgoingBytes data = as_outgoing(std::move(frame));
    data.more_follows = true;
    send(std::move(data));
  }
  value(std::move(value_json), bytes.size());
}

void Answer::large_value(std::shared_ptr<const void> owner, std::string_view value_json) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  if (value_json.size() <= wire::kMaxInlineValueBytes) {
    desk->close(call_id_, TraceEntry::Outcome::kOk, "", value_json.size());
    return desk->send_reply(call_id_, std::string(R"(,"ok":true,"body":0,"value":)").append(value_json));
  }
  for (std::string_view left = value_json; !left.empty();) {
    const std::string_view piece = left.substr(0, wire::kMaxDataBytes);
    left.remove_prefix(piece.size());
    std::string head(wire::kPrefixBytes + wire::kDataHeaderBytes, '\0');
    wire::write_data_header(head.data(), call_id_, value_json.size(), piece.size());
    OutgoingBytes before = as_outgoing(std::move(head));
    before.more_follows = true;
    send(std::move(before));
    send({owner, piece, {}, true});
  }
  desk->close(call_id_, TraceEntry::Outcome::kOk, "", value_json.size());
  desk->send_reply(call_id_, R"(,"ok":true,"body":)" + std::to_string(value_json.size()) + R"(,"value":null)");
}

void Answer::fail(CallError error) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  shorten_message(error.message);
  desk->close(call_id_, TraceEntry::Outcome::kFailed, error.message, 0);
  desk->send_reply(call_id_, failure_text(error));
}

void Answer::deny(CallError error) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  shorten_message(error.message);
  desk->links_.blocked(error.message);
  if (!is_awaited()) return;  // the log of it was one too many
  desk->close(call_id_, TraceEntry::Outcome::kDenied, error.message, 0);
  desk->send_reply(call_id_, failure_text(error));
}

void Answer::violation(std::string why) {
  if (is_awaited()) desk_.lock()->links_.violation(std::move(why));
}

void Answer::send(OutgoingBytes data) {
  if (is_awaited()) desk_.lock()->links_.send(std::move(data));
}

}  // namespace glovebox::broker
