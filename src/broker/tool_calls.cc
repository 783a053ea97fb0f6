#include "broker/tool_calls.h"

#include <atomic>
#include <map>
#include <optional>
#include <utility>

#include "broker/guest_frames.h"
#include "wire/json_members.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

namespace asio = boost::asio;
using Clock = RunClock::Clock;
using AnswerPointer = std::shared_ptr<Answer>;

bool is_code_word(std::string_view word) {
  if (word.empty() || word.size() > 64) return false;
  for (const char c : word) {
    if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_')) return false;
  }
  return true;
}

// A stranger's words become JSON and text on a terminal.
std::string as_utf8(std::string text) {
  if (is_utf8(text)) return text;
  for (char& c : text) {
    if (static_cast<unsigned char>(c) >= 0x80) c = '?';
  }
  return text;
}

CallError to_call_error(ToolFailure failure) {
  using Kind = ToolFailure::Kind;
  CallError error;
  error.name = failure.kind == Kind::kToolError ? "MCPToolError"
               : failure.kind == Kind::kDenied  ? "PermissionDenied"
                                                : "ApprovalDenied";
  const char* usual = failure.kind == Kind::kToolError ? "TOOL_ERROR"
                      : failure.kind == Kind::kDenied  ? "PERMISSION_DENIED"
                                                       : "APPROVAL_DENIED";
  error.code = is_code_word(failure.code) ? std::move(failure.code) : usual;
  error.message = as_utf8(std::move(failure.message));
  return error;
}

CallError tool_error(std::string code, std::string message) {
  return {"MCPToolError", std::move(code), std::move(message)};
}

}  // namespace

// The calls under way. On the loop's thread; answers of other threads are posted here.
class ToolCalls::Book : public std::enable_shared_from_this<Book> {
 public:
  Book(std::shared_ptr<asio::io_context> io, std::shared_ptr<ToolHost> host, ToolRules rules,
       std::shared_ptr<RunClock> clock)
      : io_(std::move(io)), host_(std::move(host)), rules_(rules), clock_(std::move(clock)) {}

  void call(const Call& call, AnswerPointer answer);
  void recall(const Call& call, Answer& answer);
  void end();

  // What the host says:
  void value(std::uint64_t id, std::shared_ptr<const void> owner, std::string_view json);
  void fail(std::uint64_t id, ToolFailure failure);
  void waits_for_person(std::uint64_t id, bool waits);
  void from_cache(std::uint64_t id);

 private:
  struct OpenCall {
    AnswerPointer answer;
    std::shared_ptr<std::atomic<bool>> is_awaited;
    asio::steady_timer timer;
    Clock::duration left;  // of its time, when the timer does not run
    bool waits_for_person = false;
  };

  static std::optional<ToolCall> read(const Call& call, Answer& answer);
  void start_timer(std::uint64_t id, OpenCall& call);
  void let_clock_go(OpenCall& call);
  // The call is over, whatever its answer is.
  AnswerPointer close(std::uint64_t id);

  std::shared_ptr<asio::io_context> io_;
  std::shared_ptr<ToolHost> host_;
  ToolRules rules_;
  std::shared_ptr<RunClock> clock_;
  std::map<std::uint64_t, OpenCall> open_;
  std::size_t calls_ = 0;
};

}  // namespace glovebox::broker

namespace glovebox {

// What copies of an answer share. The run may be gone before it.
struct ToolAnswer::State {
  using Book = broker::ToolCalls::Book;

  State(std::weak_ptr<boost::asio::io_context> io, std::weak_ptr<Book> book, std::uint64_t id,
        std::shared_ptr<std::atomic<bool>> is_awaited)
      : io(std::move(io)), book(std::move(book)), id(id), is_awaited(std::move(is_awaited)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {  // NOLINT(bugprone-exception-escape): posting fails only for want of memory
    if (is_given.exchange(true)) return;
    tell([](Book& of_run, std::uint64_t call_id) {
      of_run.fail(call_id, {ToolFailure::Kind::kToolError, "TOOL_ERROR", "the tool gave no answer"});
    });
  }

  template <typename Work>
  void tell(Work work) {
    const auto loop = io.lock();
    if (!loop) return;
    boost::asio::post(*loop, [book = book, id = id, work = std::move(work)]() mutable {
      if (const auto of_run = book.lock()) work(*of_run, id);
    });
  }

  std::weak_ptr<boost::asio::io_context> io;
  std::weak_ptr<Book> book;
  std::uint64_t id;
  std::shared_ptr<std::atomic<bool>> is_awaited;
  std::atomic<bool> is_given = false;
};

void ToolAnswer::value(std::shared_ptr<const void> owner, std::string_view json) const {
  if (state_->is_given.exchange(true)) return;
  state_->tell([owner = std::move(owner), json](State::Book& book, std::uint64_t id) mutable {
    book.value(id, std::move(owner), json);
  });
}

void ToolAnswer::fail(ToolFailure failure) const {
  if (state_->is_given.exchange(true)) return;
  state_->tell([failure = std::move(failure)](State::Book& book, std::uint64_t id) mutable {
    book.fail(id, std::move(failure));
  });
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

namespace glovebox::broker {

// Nothing when our bridge would not have called so.
std::optional<ToolCall> ToolCalls::Book::read(const Call& call, Answer& answer) {
  auto server = call.arguments.text("server");
  auto tool = call.arguments.text("tool");
  const auto members = wire::JsonMembers::split(call.arguments_json);
  const std::string_view arguments = members ? members->raw("arguments") : std::string_view();
  if (call.op != "tool" || call.body_bytes > 0 || !server || !tool || !arguments.starts_with('{') ||
      server->size() > wire::kMaxToolNamePartBytes || tool->size() > wire::kMaxToolNamePartBytes) {
    answer.violation("a call of a tool without its name or arguments");
    return std::nullopt;
  }
  answer.about(*server + "." + *tool, arguments);
  return ToolCall{call.id, std::move(*server), std::move(*tool), std::string(arguments), call.repeated};
}

void ToolCalls::Book::recall(const Call& call, Answer& answer) {
  if (read(call, answer)) ++calls_;
}

void ToolCalls::Book::call(const Call& call, AnswerPointer answer) {
  auto request = read(call, *answer);
  if (!request) return;
  // One that is repeated was counted when it was recalled.
  if (!call.repeated && ++calls_ > rules_.max_calls) {
    return answer->fail({"LimitError", "TOOL_CALL_LIMIT",
                         "No more than " + std::to_string(rules_.max_calls) + " tool calls may be made in one run"});
  }
  if (!host_) {
    return answer->fail(tool_error("NO_SERVERS", "No MCP servers are connected, so there is no tool \"" +
                                                     request->server + "." + request->tool + "\""));
  }
  auto is_awaited = std::make_shared<std::atomic<bool>>(true);
  auto state = std::make_shared<ToolAnswer::State>(io_, weak_from_this(), call.id, is_awaited);
  OpenCall open{std::move(answer), std::move(is_awaited), asio::steady_timer(*io_), rules_.time_limit};
  start_timer(call.id, open_.emplace(call.id, std::move(open)).first->second);
  host_->call(std::move(*request), ToolAnswer(std::move(state)));
}

void ToolCalls::Book::start_timer(std::uint64_t id, OpenCall& call) {
  call.timer.expires_after(call.left);
  call.timer.async_wait([book = weak_from_this(), id](auto error) {
    const auto self = book.lock();
    if (error || !self) return;
    const auto found = self->open_.find(id);
    if (found == self->open_.end() || found->second.waits_for_person) return;
    if (const auto answer = self->close(id)) {
      answer->fail(tool_error(
          "RPC_TIMEOUT", "The tool did not answer within " + std::to_string(self->rules_.time_limit.count()) + " ms"));
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
  call.left = std::max(call.timer.expiry() - Clock::now(), Clock::duration::zero());
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
  *found->second.is_awaited = false;
  AnswerPointer answer = std::move(found->second.answer);
  open_.erase(found);
  return answer;
}

void ToolCalls::Book::value(std::uint64_t id, std::shared_ptr<const void> owner, std::string_view json) {
  const AnswerPointer answer = close(id);
  if (!answer) return;
  if (json.size() > wire::kMaxToolResultBytes) {
    return answer->fail(tool_error("RESULT_TOO_LARGE", "The tool's result has " + std::to_string(json.size()) +
                                                           " bytes; the limit is " +
                                                           std::to_string(wire::kMaxToolResultBytes)));
  }
  if (answer->unsent_bytes() + json.size() > wire::kMaxHeldToolResultBytes) {
    return answer->fail(
        tool_error("RESULT_TOO_LARGE", "Too many large results wait for the code; call fewer tools at one time"));
  }
  answer->large_value(std::move(owner), json);
}

void ToolCalls::Book::fail(std::uint64_t id, ToolFailure failure) {
  const AnswerPointer answer = close(id);
  if (!answer) return;
  const bool is_denial = failure.kind != ToolFailure::Kind::kToolError;
  CallError error = to_call_error(std::move(failure));
  if (is_denial) return answer->deny(std::move(error));
  answer->fail(std::move(error));
}

void ToolCalls::Book::end() {
  for (auto& [id, call] : std::exchange(open_, {})) *call.is_awaited = false;
  if (host_) host_->end();
}

ToolCalls::ToolCalls(std::shared_ptr<asio::io_context> io, std::shared_ptr<ToolHost> host, ToolRules rules,
                     std::shared_ptr<RunClock> clock)
    : book_(std::make_shared<Book>(std::move(io), std::move(host), rules, std::move(clock))) {}

ToolCalls::~ToolCalls() = default;

std::shared_ptr<BodySink> ToolCalls::handle(const Call& call, AnswerPointer answer) {
  book_->call(call, std::move(answer));
  return nullptr;
}

CallHandler::Recalled ToolCalls::recall(const Call& call, AnswerPointer answer, const RecordedReply*) {
  book_->recall(call, *answer);
  return {};
}

void ToolCalls::end(std::function<void()> ended) {
  book_->end();
  ended();
}

}  // namespace glovebox::broker
