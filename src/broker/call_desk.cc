#include "broker/call_desk.h"

#include <array>
#include <cstring>
#include <utility>

#include "base/text/json_builder.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

// People read the trace, so texts in it are cut; the code has them in full.
constexpr std::size_t kMaxTraceTextBytes = 1024;
constexpr std::size_t kMaxTraceArgumentsBytes = 4096;

// The journal of a whole run has at most as many (gateway/runs/run_journal.cc). It gives up at a reply that exceeds it,
// so the rest of such a reply need not be collected.
constexpr std::size_t kMaxJournaledBytes = 64 * wire::kMiB;

// Of a call's arguments. Calls with no more are bounded by their number.
constexpr std::size_t kMaxUncountedBytes = 4096;

// Left out of the trace: calls that reach nothing outside, and steps of a call that is in it.
bool is_on_record(std::string_view op) {
  return op != "sleep" && op != "net.read" && op != "net.send" && op != "net.cancel";
}

std::string for_trace(std::string_view text, std::size_t max_bytes = kMaxTraceTextBytes) {
  return base::neutralise(base::beginning_of(text, max_bytes));
}

// A message quotes what the guest wrote, up to a megabyte, and stays in our memory until the guest has read it.
void shorten_message(std::string& message) {
  message.resize(base::beginning_of(message, wire::kMaxErrorTextBytes).size());
}

std::string call_error_json(const calls::CallError& error) {
  return base::ObjectText()
      .text("name", error.name)
      .text("code", error.code)
      .text("message", error.message)
      .json_if("data", error.data)
      .done();
}

std::string_view family_of(std::string_view op) {
  return op.substr(0, op.find('.'));
}

calls::OutgoingBytes as_outgoing(std::string frame) {
  auto owned = std::make_shared<const std::string>(std::move(frame));
  const std::string_view bytes = *owned;
  return {std::move(owned), bytes, {}, false};
}

// Whether a call may be made again when the outcome of the first is unknown, because it changes nothing. For tools,
// their host decides.
bool may_be_repeated(const calls::Call& call) {
  static constexpr std::array kHarmless = {
      "sleep",   "tool",    "fs.read",           "fs.readDir", "fs.stat",    "fs.lstat",      "fs.realPath", "fs.cwd",
      "env.get", "env.all", "permissions.query", "net.read",   "net.cancel", "python.wheels", "python.wheel"};
  if (call.body_bytes > 0) return false;
  if (call.op == "net.fetch") {
    const auto method = call.arguments.text("method");
    return (method == "GET" || method == "HEAD") && call.arguments.text("body") == "none";
  }
  return std::find(kHarmless.begin(), kHarmless.end(), call.op) != kHarmless.end();
}

bool is_denial(const std::string& op, const calls::CallError& error) {
  return error.name == "ApprovalDenied" || (error.name == "PermissionDenied" && (error.code.empty() || op == "tool"));
}

}  // namespace

CallDesk::CallDesk(Links links) : links_(std::move(links)) {
  if (links_.journal) digests_.emplace();
}

void CallDesk::replay(replay::Replay history) {
  if (history.is_over()) return;
  if (!digests_) digests_.emplace();
  replay_.emplace(std::move(history));
}

void CallDesk::add(std::string family, std::unique_ptr<calls::CallHandler> handler) {
  families_[std::move(family)].handler = std::move(handler);
}

void CallDesk::add_on_first_use(std::string family, MakeHandler make) {
  families_[std::move(family)].make = std::move(make);
}

calls::CallHandler* CallDesk::handler_of(std::string_view family) {
  const auto found = families_.find(family);
  if (found == families_.end()) return nullptr;
  if (!found->second.handler) found->second.handler = found->second.make();
  return found->second.handler.get();
}

void CallDesk::open(calls::Call call) {
  // Ids only grow: one that is repeated or out of order is not from our bridge. An answer that the guest has not read
  // counts as in flight: it takes up our memory.
  if (body_) return links_.violation("a call inside another's bytes");
  if (call.id <= last_id_) return links_.violation("a call id that was used before");
  if (open_.size() + unread_replies_ >= wire::kMaxCallsInFlight) return links_.violation("too many calls at once");
  last_id_ = call.id;
  calls::CallHandler* const handler = handler_of(family_of(call.op));
  if (!handler) return links_.violation("a call to something that does not exist");
  open_[call.id] = {call.op, "", std::chrono::steady_clock::now(), call.body_bytes, ""};
  if (call.body_bytes > 0) {
    body_ = IncomingBody{call.id, call.body_bytes, nullptr, std::nullopt};
    if (links_.journal || book_) body_->digest.emplace();
  }
  const auto self = shared_from_this();  // an answer may end the run
  if (book_ && replay::RehearsalBook::is_recorded(call.op)) {
    book_->open(call);
    return give_due_answers();
  }
  std::string digest = digests_ ? digests_->of(call) : "";
  if (replay_) return recall(call, *handler, digest);
  if (links_.journal) {
    links_.journal(
        {JournalEntry::Kind::kCall, call.id, call.op, std::move(digest), "", std::string(call.arguments_json)});
  }
  // What a replay repeats was counted when it was new, and a small call costs no more than its entry.
  if (links_.hold && call.arguments_json.size() > kMaxUncountedBytes) {
    open_[call.id].held = links_.hold(call.arguments_json.size());
    if (!open_[call.id].held) {
      return calls::Answer(weak_from_this(), call.id)
          .fail({call.op == "tool" ? "MCPToolError" : "Error", "TOOL_CALL_LIMIT",
                 "the calls under way have more arguments than the gateway keeps; wait for some of them first"});
    }
  }
  serve_when_written(call, *handler);
}

// A call that changes something outside waits until the store has its journal entry. For tools, their host decides.
void CallDesk::serve_when_written(const calls::Call& call, calls::CallHandler& handler) {
  if (!links_.may_go_on) return serve(call, handler);
  const auto held = std::make_shared<KeptCall>();
  const bool acts = call.op != "tool" && !may_be_repeated(call);
  const bool goes = links_.may_go_on(acts, [desk = weak_from_this(), held] {
    const auto self = desk.lock();
    if (!self || self->ended_) return;
    self->serve_kept(*held);
    if (!self->ended_) self->links_.pause_reading(false);
  });
  if (goes) return serve(call, handler);
  *held = {call, std::string(call.arguments_json)};
  links_.pause_reading(true);
}

void CallDesk::serve(const calls::Call& call, calls::CallHandler& handler) {
  auto sink = handler.handle(call, std::make_shared<calls::Answer>(weak_from_this(), call.id));
  if (body_ && body_->call_id == call.id) body_->sink = std::move(sink);
}

void CallDesk::recall(const calls::Call& call, calls::CallHandler& handler, const std::string& digest) {
  if (!replay_->accept(call.id, call.op, digest)) {
    return links_.diverged("its call " + std::to_string(call.id) + " is " + for_trace(call.op) +
                           ", not what was recorded");
  }
  const replay::RecordedReply* reply = replay_->reply_to(call.id);
  auto recalled = handler.recall(call, std::make_shared<calls::Answer>(weak_from_this(), call.id), reply);
  if (ended_) return;
  if (body_) body_->sink = std::move(recalled.sink);
  if (!reply && !recalled.is_answered) unanswered_.push_back({call, std::string(call.arguments_json)});
  give_recorded_replies();
}

// A recorded reply is given once all calls recorded before it have been made: what the code does next depends on
// nothing else.
void CallDesk::give_recorded_replies() {
  while (const JournalEntry* entry = replay_->take_reply()) {
    const replay::RecordedReply& reply = *replay_->reply_to(entry->call_id);
    const auto open = open_.find(entry->call_id);
    if (open == open_.end()) return links_.diverged("a call was answered twice");
    const std::string op = open->second.op;
    auto outcome = reply.ok ? TraceEntry::Outcome::kOk : TraceEntry::Outcome::kFailed;
    if (!reply.ok && is_denial(op, reply.error)) {
      outcome = TraceEntry::Outcome::kDenied;
      links_.blocked(reply.error.message);
      if (ended_) return;
    }
    const bool is_inline = op == "tool" && reply.ok && reply.body_bytes == 0;
    close(entry->call_id, outcome, reply.error.message, is_inline ? reply.value_json.size() : reply.body_bytes);
    ++unread_replies_;
    links_.send({replay_->owner(), entry->frames,
                 [desk = weak_from_this()] {
                   if (const auto self = desk.lock()) --self->unread_replies_;
                 },
                 false});
  }
  if (!replay_->is_over()) return;
  replay_.reset();
  for (EarlyAnswer& answer : std::exchange(early_, {}))
    pass_on(answer.call_id, std::move(answer.bytes), answer.is_reply);
  for (KeptCall& kept : std::exchange(unanswered_, {})) {
    if (!ended_) repeat(std::move(kept));
  }
}

bool CallDesk::read_arguments(KeptCall& kept, simdjson::dom::parser& parser) {
  simdjson::dom::object arguments;
  if (parser.parse(kept.arguments_json).get_object().get(arguments) != simdjson::SUCCESS) return false;
  kept.call.arguments = calls::CallArguments(arguments);
  kept.call.arguments_json = kept.arguments_json;
  return true;
}

void CallDesk::serve_kept(KeptCall& kept) {
  simdjson::dom::parser parser;
  if (read_arguments(kept, parser)) serve(kept.call, *handler_of(family_of(kept.call.op)));
}

void CallDesk::repeat(KeptCall kept) {
  simdjson::dom::parser parser;
  if (!read_arguments(kept, parser)) return;
  kept.call.repeated = true;
  if (may_be_repeated(kept.call)) return serve(kept.call, *handler_of(family_of(kept.call.op)));
  calls::Answer(weak_from_this(), kept.call.id)
      .fail({"Error", "OUTCOME_UNKNOWN", "The run was interrupted, so it is unknown whether this was done"});
}

void CallDesk::rehearse(replay::RehearsalBook book) {
  book_.emplace(std::move(book));
}

void CallDesk::give_due_answers() {
  while (!ended_) {
    const auto due = book_->take();
    if (!due) return;
    give(*due);
  }
}

void CallDesk::answer_idle_guest() {
  if (!book_ || ended_ || body_) return;
  const auto self = shared_from_this();
  if (const auto due = book_->take_while_idle()) give(*due);
  give_due_answers();
}

void CallDesk::give(const replay::RehearsalBook::Due& due) {
  calls::Answer answer(weak_from_this(), due.call_id);
  const auto open = open_.find(due.call_id);
  if (open == open_.end()) return;
  if (due.wake_ms) return answer.value_at(*due.wake_ms);
  if (!due.answer) {
    const bool is_tool = open->second.op == "tool";
    return answer.fail(
        {is_tool ? "MCPToolError" : "Error", "NOT_RECORDED", "The recorded run has no answer to this call"});
  }
  const RecordedCall& recorded = *due.answer;
  if (!recorded.ok)
    return answer.fail({recorded.error_name, recorded.error_code, recorded.error_message, recorded.error_data});
  if (recorded.op == "tool") {
    const auto owner = std::make_shared<const std::string>(recorded.value_json);
    return answer.large_value(owner, *owner);
  }
  answer.value_with_bytes(recorded.value_json, recorded.bytes);
}

void CallDesk::data(const wire::DataPiece& piece) {
  if (!body_ || piece.call_id != body_->call_id || piece.bytes.size() > body_->left) {
    return links_.violation("bytes that belong to no call");
  }
  if (digests_) digests_->add_bytes(piece.bytes);
  if (body_->digest) body_->digest->add(piece.bytes);
  body_->left -= piece.bytes.size();
  const bool last = body_->left == 0;
  if (last && body_->digest) {
    std::string hex = body_->digest->hex();
    if (book_) book_->set_body_digest(piece.call_id, hex);
    if (links_.journal && open_.contains(piece.call_id)) body_digests_[piece.call_id] = std::move(hex);
  }
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
  early_.clear();
  unanswered_.clear();
  for (const auto& [id, call] : std::exchange(open_, {})) {
    if (!is_on_record(call.op)) continue;
    trace_.add({.op = call.op,
                .target = call.target,
                .outcome = TraceEntry::Outcome::kUnfinished,
                .arguments = call.arguments,
                .cached = call.cached,
                .since = call.since});
  }
  // Runs when the last handler lets go of it, or here if there is none.
  auto all = std::shared_ptr<void>(nullptr, [ended = std::move(ended)](void*) { ended(); });
  for (const auto& [name, family] : families_) {
    if (family.handler) family.handler->end([all] {});
  }
}

void CallDesk::send_reply(std::uint64_t id, bool ok, std::string_view json, std::uint64_t body_bytes,
                          std::optional<std::int64_t> now_ms, std::function<void()> sent) {
  base::ObjectText text(wire::begin_frame(json.size() + 128));
  text.text("frame", "reply").number("id", id);
  text.number("now", now_ms ? *now_ms : book_ ? book_->now_ms() : links_.now_ms()).flag("ok", ok);
  if (ok) text.number("body", body_bytes);
  std::string frame = text.json(ok ? "value" : "error", json).done();
  wire::end_frame(frame);
  calls::OutgoingBytes reply = as_outgoing(std::move(frame));
  ++unread_replies_;
  reply.sent = [desk = weak_from_this(), sent = std::move(sent)] {
    const auto self = desk.lock();
    if (!self) return;
    --self->unread_replies_;
    if (sent) sent();
  };
  pass_on(id, std::move(reply), true);
}

void CallDesk::pass_on(std::uint64_t id, calls::OutgoingBytes bytes, bool is_reply) {
  if (replay_) return early_.push_back({id, std::move(bytes), is_reply});
  if (links_.journal) {
    std::string& said = saying_[id];
    if (said.size() <= kMaxJournaledBytes) said += bytes.bytes;
    if (is_reply) {
      JournalEntry entry{JournalEntry::Kind::kReply, id, "", "", std::move(said)};
      saying_.erase(id);
      if (auto digest = body_digests_.extract(id)) entry.body_digest = std::move(digest.mapped());
      links_.journal(std::move(entry));
    }
  }
  links_.send(std::move(bytes));
}

void CallDesk::close(std::uint64_t id, TraceEntry::Outcome outcome, std::string_view error, std::uint64_t bytes) {
  const auto found = open_.find(id);
  if (found == open_.end()) return;
  const OpenCall call = std::move(found->second);
  open_.erase(found);
  if (!is_on_record(call.op)) return;
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - call.since;
  trace_.add({.op = call.op,
              .target = call.target,
              .outcome = outcome,
              .error = for_trace(error),
              .duration_ms = took.count(),
              .bytes = bytes + call.body_bytes,
              .arguments = call.arguments,
              .cached = call.cached,
              .since = call.since,
              .recalled = replay_.has_value(),
              .leads_to = call.leads_to});
}

}  // namespace glovebox::broker

namespace glovebox::calls {

CallHandler::Recalled CallHandler::recall(const Call&, std::shared_ptr<Answer>, const replay::RecordedReply*) {
  return {};
}

bool Answer::is_awaited() const {
  const auto desk = desk_.lock();
  return desk && desk->open_.contains(call_id_);
}

void Answer::about(std::string target, std::string_view arguments) {
  if (!is_awaited()) return;
  broker::CallDesk::OpenCall& call = desk_.lock()->open_[call_id_];
  call.target = broker::for_trace(target);
  call.arguments = broker::for_trace(arguments, broker::kMaxTraceArgumentsBytes);
}

void Answer::from_cache() {
  if (is_awaited()) desk_.lock()->open_[call_id_].cached = true;
}

std::size_t Answer::unsent_bytes() const {
  const auto desk = desk_.lock();
  return desk ? desk->links_.unsent_bytes() : 0;
}

void Answer::value(std::string value_json, std::uint64_t body_bytes, std::function<void()> sent) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  desk->close(call_id_, TraceEntry::Outcome::kOk, "", body_bytes);
  desk->send_reply(call_id_, true, value_json, body_bytes, {}, std::move(sent));
}

void Answer::value_at(std::int64_t now_ms, std::string value_json) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  desk->close(call_id_, TraceEntry::Outcome::kOk, "", 0);
  desk->send_reply(call_id_, true, value_json, 0, now_ms);
}

void Answer::value_with_bytes(std::string value_json, std::string_view bytes, std::function<void()> sent) {
  for (std::string_view left = bytes; !left.empty();) {
    const std::string_view piece = left.substr(0, wire::kMaxDataBytes);
    left.remove_prefix(piece.size());
    std::string frame(wire::kPrefixBytes + wire::kDataHeaderBytes, '\0');
    wire::write_data_header(frame.data(), call_id_, bytes.size(), piece.size());
    frame += piece;
    OutgoingBytes data = broker::as_outgoing(std::move(frame));
    data.more_follows = true;
    send(std::move(data));
  }
  value(std::move(value_json), bytes.size(), std::move(sent));
}

void Answer::large_value(std::shared_ptr<const void> owner, std::string_view value_json) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  if (value_json.size() <= wire::kMaxInlineValueBytes) {
    desk->close(call_id_, TraceEntry::Outcome::kOk, "", value_json.size());
    return desk->send_reply(call_id_, true, value_json);
  }
  for (std::string_view left = value_json; !left.empty();) {
    const std::string_view piece = left.substr(0, wire::kMaxDataBytes);
    left.remove_prefix(piece.size());
    std::string head(wire::kPrefixBytes + wire::kDataHeaderBytes, '\0');
    wire::write_data_header(head.data(), call_id_, value_json.size(), piece.size());
    OutgoingBytes before = broker::as_outgoing(std::move(head));
    before.more_follows = true;
    send(std::move(before));
    send({owner, piece, {}, true});
  }
  desk->close(call_id_, TraceEntry::Outcome::kOk, "", value_json.size());
  desk->send_reply(call_id_, true, "null", value_json.size());
}

void Answer::fail(CallError error) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  broker::shorten_message(error.message);
  desk->close(call_id_, TraceEntry::Outcome::kFailed, error.message, 0);
  desk->send_reply(call_id_, false, broker::call_error_json(error));
}

void Answer::deny(CallError error) {
  if (!is_awaited()) return;
  const auto desk = desk_.lock();
  broker::shorten_message(error.message);
  desk->links_.blocked(error.message);
  if (!is_awaited()) return;  // logging it hit the log limit and ended the run
  desk->open_[call_id_].leads_to = broker::for_trace(error.leads_to);
  desk->close(call_id_, TraceEntry::Outcome::kDenied, error.message, 0);
  desk->send_reply(call_id_, false, broker::call_error_json(error));
}

void Answer::violation(std::string why) {
  if (is_awaited()) desk_.lock()->links_.violation(std::move(why));
}

void Answer::send(OutgoingBytes data) {
  if (is_awaited()) desk_.lock()->pass_on(call_id_, std::move(data), false);
}

}  // namespace glovebox::calls
