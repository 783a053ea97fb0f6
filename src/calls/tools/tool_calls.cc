#include "calls/tools/tool_calls.h"

#include <atomic>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <map>
#include <optional>
#include <utility>

#include "base/text/utf8.h"
#include "calls/limit_error.h"
#include "wire/json_members.h"
#include "wire/limits.h"

namespace glovebox::calls {
namespace {

namespace asio = boost::asio;
using Clock = RunClock::Clock;
using AnswerPointer = std::shared_ptr<Answer>;

// Untrusted text becomes JSON and is shown on terminals.
std::string as_utf8(std::string text) {
  if (base::is_utf8(text)) return text;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return text;
}

CallError tool_call_error(ToolFailure failure) {
  using Kind = ToolFailure::Kind;
  CallError error;
  error.name = failure.kind == Kind::kToolError ? "MCPToolError"
               : failure.kind == Kind::kDenied  ? "PermissionDenied"
                                                : "ApprovalDenied";
  const FailureCode usual = failure.kind == Kind::kToolError ? FailureCode("TOOL_ERROR")
                            : failure.kind == Kind::kDenied  ? FailureCode("PERMISSION_DENIED")
                                                             : FailureCode("APPROVAL_DENIED");
  error.code = (failure.code.empty() ? usual : failure.code).text();
  error.message = as_utf8(std::move(failure.message));
  if (failure.structured.size() <= wire::kMaxErrorTextBytes) error.data = std::move(failure.structured);
  return error;
}

CallError tool_error(std::string code, std::string message) {
  return {"MCPToolError", std::move(code), std::move(message)};
}

ToolFailure too_large(std::string message) {
  return {ToolFailure::Kind::kToolError, "RESULT_TOO_LARGE", std::move(message)};
}

// A result in our memory, counted from when a tool hands it over until the guest has taken it.
class HeldResult {
 public:
  using Total = std::shared_ptr<std::atomic<std::size_t>>;  // of one run

  HeldResult(std::shared_ptr<const void> owner, std::size_t bytes, Total total)
      : owner_(std::move(owner)), bytes_(bytes), total_(std::move(total)), total_then_(*total_ += bytes_) {}
  HeldResult(const HeldResult&) = delete;
  HeldResult& operator=(const HeldResult&) = delete;
  ~HeldResult() { *total_ -= bytes_; }

  bool is_too_much() const { return total_then_ > wire::kMaxHeldToolResultBytes; }

 private:
  std::shared_ptr<const void> owner_;
  std::size_t bytes_;
  Total total_;
  std::size_t total_then_;  // with this one
};

}  // namespace

// The calls under way. On the loop thread; answers from other threads are posted to it.
class ToolCalls::Book : public std::enable_shared_from_this<Book> {
 public:
  Book(std::shared_ptr<asio::io_context> io, std::shared_ptr<ToolHost> host, ToolLimits rules,
       std::shared_ptr<RunClock> clock)
      : io_(std::move(io)), host_(std::move(host)), rules_(rules), clock_(std::move(clock)) {}

  void call(const Call& call, AnswerPointer answer);
  void recall(const Call& call, Answer& answer);
  void end();

  // From the host:
  void value(std::uint64_t id, std::shared_ptr<const void> owner, std::string_view json);
  void fail(std::uint64_t id, ToolFailure failure);
  void waits_for_person(std::uint64_t id, bool waits);
  void from_cache(std::uint64_t id);

 private:
  struct OpenCall {
    AnswerPointer answer;
    std::shared_ptr<std::atomic<bool>> is_awaited;
    asio::steady_timer timer;
    Clock::duration left;  // of its time, while the timer is stopped
    bool waits_for_person = false;
  };

  static std::optional<ToolCall> read(const Call& call, Answer& answer);
  void start_timer(std::uint64_t id, OpenCall& call);
  void let_clock_go(OpenCall& call);
  // The call is over, whatever its answer is.
  AnswerPointer close(std::uint64_t id);

  std::shared_ptr<asio::io_context> io_;
  std::shared_ptr<ToolHost> host_;
  ToolLimits rules_;
  std::shared_ptr<RunClock> clock_;
  std::map<std::uint64_t, OpenCall> open_;
  std::size_t calls_ = 0;
  HeldResult::Total held_bytes_ = std::make_shared<std::atomic<std::size_t>>(0);
};

}  // namespace glovebox::calls

namespace glovebox {

// Shared by the copies of an answer, which may outlive the run.
struct ToolAnswer::State {
  using Book = calls::ToolCalls::Book;

  State(std::weak_ptr<boost::asio::io_context> io, std::weak_ptr<Book> book, std::uint64_t id,
        std::shared_ptr<std::atomic<bool>> is_awaited, calls::HeldResult::Total held_bytes)
      : io(std::move(io)),
        book(std::move(book)),
        id(id),
        is_awaited(std::move(is_awaited)),
        held_bytes(std::move(held_bytes)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {  // NOLINT(bugprone-exception-escape): posting fails only for want of memory
    if (is_given.exchange(true)) return;
    tell_failure({ToolFailure::Kind::kToolError, "TOOL_ERROR", "the tool did not answer"});
  }

  template <typename Work>
  void tell(Work work) {
    const auto loop = io.lock();
    if (!loop) return;
    boost::asio::post(*loop, [book = book, id = id, work = std::move(work)]() mutable {
      if (const auto of_run = book.lock()) work(*of_run, id);
    });
  }
  void tell_failure(ToolFailure failure) {
    tell([failure = std::move(failure)](Book& of_run, std::uint64_t call_id) mutable {
      of_run.fail(call_id, std::move(failure));
    });
  }

  std::weak_ptr<boost::asio::io_context> io;
  std::weak_ptr<Book> book;
  std::uint64_t id;
  std::shared_ptr<std::atomic<bool>> is_awaited;
  calls::HeldResult::Total held_bytes;
  std::atomic<bool> is_given = false;
};

// Results that are too large are dropped here, on the tool's thread: only what fits is posted to the loop.
void ToolAnswer::value(std::shared_ptr<const void> owner, std::string_view json) const {
  if (state_->is_given.exchange(true)) return;
  if (json.size() > wire::kMaxToolResultBytes) {
    return state_->tell_failure(calls::too_large("The tool's result has " + std::to_string(json.size()) +
                                                 " bytes; the limit is " + std::to_string(wire::kMaxToolResultBytes)));
  }
  auto held = std::make_shared<const calls::HeldResult>(std::move(owner), json.size(), state_->held_bytes);
  if (held->is_too_much()) {
    return state_->tell_failure(
        calls::too_large("Too many large results are waiting for the code; call fewer tools at a time"));
  }
  state_->tell([held = std::move(held), json](State::Book& book, std::uint64_t id) mutable {
    book.value(id, std::move(held), json);
  });
}

void ToolAnswer::fail(ToolFailure failure) const {
  if (!state_->is_given.exchange(true)) state_->tell_failure(std::move(failure));
}

void ToolAnswer::waits_for_person(bool waits) const {
  if (state_->is_given) return;
  state_->tell([waits](State::Book& book, std::uint64_t id) { book.waits_for_person(id, waits); });
}

void ToolAnswer::from_cache() const {
  if (state_->is_given) return;
  state_->tell([](State::Book& book, std::uint64_t id) { book.from_cache(id); });
}

bool ToolAnswer::is_awaited() const {
  return !state_->is_given && *state_->is_awaited;
}

}  // namespace glovebox

namespace glovebox::calls {

// Nothing for a call that our bridge would not make.
std::optional<ToolCall> ToolCalls::Book::read(const Call& call, Answer& answer) {
  auto server = call.arguments.text("server");
  auto tool = call.arguments.text("tool");
  const auto members = wire::JsonMembers::split(call.arguments_json);
  const std::string_view arguments = members ? members->raw("arguments") : std::string_view();
  if (call.op != "tool" || call.body_bytes > 0 || !server || !tool || !arguments.starts_with('{') ||
      server->size() > wire::kMaxToolNamePartBytes || tool->size() > wire::kMaxToolNamePartBytes) {
    answer.violation("a tool call without a name or arguments");
    return std::nullopt;
  }
  answer.about(*server + "." + *tool, arguments);
  const bool raw = members->raw("raw") == "true";
  return ToolCall{call.id, std::move(*server), std::move(*tool), std::string(arguments), call.repeated, raw};
}

void ToolCalls::Book::recall(const Call& call, Answer& answer) {
  if (read(call, answer)) ++calls_;
}

void ToolCalls::Book::call(const Call& call, AnswerPointer answer) {
  auto request = read(call, *answer);
  if (!request) return;
  // A repeated call was counted when it was recalled.
  if (!call.repeated && ++calls_ > rules_.max_calls) {
    return answer->fail({"LimitError", "TOOL_CALL_LIMIT",
                         "At most " + std::to_string(rules_.max_calls) +
                             " tool calls may be made in one run (sandbox.maxToolCalls, limits.callsPerRun)"});
  }
  if (!host_) {
    return answer->fail(tool_error("NO_SERVERS", "No MCP servers are connected, so there is no tool \"" +
                                                     request->server + "." + request->tool + "\""));
  }
  auto is_awaited = std::make_shared<std::atomic<bool>>(true);
  auto state = std::make_shared<ToolAnswer::State>(io_, weak_from_this(), call.id, is_awaited, held_bytes_);
  OpenCall open{std::move(answer), std::move(is_awaited), asio::steady_timer(*io_), rules_.time_limit};
  start_timer(call.id, open_.emplace(call.id, std::move(open)).first->second);
  clock_->call_begins();
  host_->call(std::move(*request), ToolAnswer(std::move(state)));
}

void ToolCalls::Book::start_timer(std::uint64_t id, OpenCall& call) {
  if (host_->keeps_time()) return;
  call.timer.expires_after(call.left);
  call.timer.async_wait([book = weak_from_this(), id](auto error) {
    const auto self = book.lock();
    if (error || !self) return;
    const auto found = self->open_.find(id);
    if (found == self->open_.end() || found->second.waits_for_person) return;
    if (const auto answer = self->close(id)) {
      answer->fail(tool_error("RPC_TIMEOUT", "The tool did not answer within " + shown_time(self->rules_.time_limit) +
                                                 " (sandbox.rpcTimeoutMs)"));
    }
  });
}

void ToolCalls::Book::waits_for_person(std::uint64_t id, bool waits) {
  const auto found = open_.find(id);
  if (found == open_.end() || found->second.waits_for_person == waits) return;
  OpenCall& call = found->second;
  if (!waits) {
    let_clock_go(call);
    return start_timer(id, call);
  }
  call.waits_for_person = true;
  if (!host_->keeps_time()) call.left = std::max(call.timer.expiry() - Clock::now(), Clock::duration::zero());
  call.timer.cancel();
  clock_->stop();
}

void ToolCalls::Book::from_cache(std::uint64_t id) {
  const auto found = open_.find(id);
  if (found != open_.end()) found->second.answer->from_cache();
}

void ToolCalls::Book::let_clock_go(OpenCall& call) {
  if (std::exchange(call.waits_for_person, false)) clock_->go();
}

AnswerPointer ToolCalls::Book::close(std::uint64_t id) {
  const auto found = open_.find(id);
  if (found == open_.end()) return nullptr;
  let_clock_go(found->second);
  clock_->call_ends();
  *found->second.is_awaited = false;
  AnswerPointer answer = std::move(found->second.answer);
  open_.erase(found);
  return answer;
}

void ToolCalls::Book::value(std::uint64_t id, std::shared_ptr<const void> owner, std::string_view json) {
  if (const AnswerPointer answer = close(id)) answer->large_value(std::move(owner), json);
}

void ToolCalls::Book::fail(std::uint64_t id, ToolFailure failure) {
  const AnswerPointer answer = close(id);
  if (!answer) return;
  const bool is_denial = failure.kind != ToolFailure::Kind::kToolError;
  CallError error = tool_call_error(std::move(failure));
  if (is_denial) return answer->deny(std::move(error));
  answer->fail(std::move(error));
}

void ToolCalls::Book::end() {
  for (auto& [id, call] : std::exchange(open_, {})) *call.is_awaited = false;
  if (host_) host_->end();
}

ToolCalls::ToolCalls(std::shared_ptr<asio::io_context> io, std::shared_ptr<ToolHost> host, ToolLimits rules,
                     std::shared_ptr<RunClock> clock)
    : book_(std::make_shared<Book>(std::move(io), std::move(host), rules, std::move(clock))) {}

ToolCalls::~ToolCalls() = default;

std::shared_ptr<BodySink> ToolCalls::handle(const Call& call, AnswerPointer answer) {
  book_->call(call, std::move(answer));
  return nullptr;
}

CallHandler::Recalled ToolCalls::recall(const Call& call, AnswerPointer answer, const replay::RecordedReply*) {
  book_->recall(call, *answer);
  return {};
}

void ToolCalls::end(std::function<void()> ended) {
  book_->end();
  ended();
}

}  // namespace glovebox::calls
