// ServerCall: one request of a client, while its handler serves it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/message.h"
#include "mcp/notices/call_notices.h"
#include "mcp/outlet.h"
#include "mcp/revision.h"
#include "mcp/server/input_request.h"
#include "mcp/server/outgoing_filter.h"
#include "mcp/server/request_state.h"
#include "mcp/server/server_types.h"
#include "policy/profile/client_profile.h"

namespace glovebox::mcp {

class ServerPeer;

// Everything about a request that does not change while it is served.
struct CallFacts {
  std::string id;  // JSON text
  std::string method;
  std::string name;        // of the tool or prompt, or the URI of the resource
  json::object params;     // all of them
  json::object arguments;  // of a tool or prompt; the variables of a resource template
  std::string revision;
  Era era = Era::kLegacy;
  json::object capabilities;  // of the client
  std::string principal;
  std::string client_name;                       // how the client names itself, for people; unverified. May be empty
  std::string conversation;                      // the same for all calls of one; see ServerCore::connect
  std::optional<policy::ClientProfile> profile;  // how the owner restricts this client compared to others
  bool asks_owner = false;                       // see Caller
  std::string progress_token;                    // JSON text, or empty
  std::string traceparent;  // of `_meta`, else of the HTTP request; unchecked, and not longer than it may be
  std::optional<NoticeLevel> log_level;
};

class ServerCall : public std::enable_shared_from_this<ServerCall> {
 public:
  // Without an executor, which may be empty, notices before the answer are not joined.
  ServerCall(CallFacts facts, std::shared_ptr<Outlet> outlet, std::weak_ptr<ServerPeer> peer, const StateSealer* sealer,
             boost::asio::any_io_executor executor, std::chrono::milliseconds heartbeat);

  const CallFacts& facts() const { return facts_; }
  const json::object& arguments() const { return facts_.arguments; }
  std::string_view argument(std::string_view name) const;  // a string argument, or empty

  // The answer: a JSON object, as the method's result. Only the first of reply, reply_text, reply_error and fail
  // counts.
  void reply(std::string result);
  // The same for a result whose text is still to be made from its JSON.
  void reply(std::string result, const base::TwiceSaid& places);
  // The same without the outgoing filter: for an answer that contains nothing but what this client has sent itself.
  void reply_with_own_words(std::string result);
  // JSON as the client may see it. For texts made from it: once broken into lines, the filter would not recognize
  // values.
  std::string as_client_sees(std::string json) const { return filter_ ? filter_->said(std::move(json)) : json; }
  // A tool's answer of one text.
  void reply_text(std::string_view text);
  void reply_error(std::string_view text);
  void fail(const RpcError& error);
  void fail_as_unknown_resource();

  // Progress and log lines are joined for a moment, and dropped for a client that does not read.
  void progress(double done, std::optional<double> total = std::nullopt, std::string_view message = {});
  // One step more than the last.
  void progress(std::string_view message) { progress(last_progress_ + 1, std::nullopt, message); }
  void log(NoticeLevel level, std::string_view logger, std::string_view text);

  // Whether the client follows this as a task, and polls for the answer.
  bool is_task() const { return !outlet_->task_id().empty(); }
  // For a task: it continues when a person has decided something who cannot be asked through this call. Progress says
  // so.
  void wait_for_person(std::string_view why);

  // Whether the client can answer this.
  bool can_ask(const InputRequest& request) const { return !missing_capability(request, facts_.capabilities); }

  // Asks, and continues with the answers. With a client of 2025 the requests go out and `next` runs when all answers
  // are there. With a client of 2026 this call ends with `input_required`, and the client makes it again with the
  // answers: the handler runs again from its start, asks again, and only then does `next` run. So whatever comes before
  // a question must be harmless to repeat. `next` gets an error where the client cannot or did not answer.
  void ask(std::vector<InputRequest> requests, std::function<void(Result<Answers, RpcError>)> next);

  // A note to the handler's next run after a question: sealed with it, so the client cannot change it.
  const std::string& note() const { return note_; }
  void set_note(std::string note) { note_ = std::move(note); }

  // Runs once when the client cancels the call or disconnects; at once if that has already happened.
  void on_cancel(std::function<void()> action);
  bool cancelled() const { return cancelled_; }
  // Runs when the server ends before this call does, and should answer it; without it, or if it does not, the client is
  // asked to retry.
  void on_server_end(std::function<void()> action) { on_server_end_ = std::move(action); }
  // Whether the server has to work on before it can answer this.
  bool is_at_work() const { return !done_ && asking_ == 0 && !on_server_end_; }
  // It was cancelled because the whole connection or session ended, not because the client cancelled this call.
  bool client_left() const { return client_left_; }
  bool done() const { return done_; }

  // Releases the client's connection while this is served; see Outlet.
  void release_connection();

 private:
  friend class ServerCore;
  friend class ServerPeer;
  friend class ServerTask;
  friend class ServerTasks;
  // Opens the sealed state and reads the answers that came with a retry.
  Result<void, RpcError> take_answers();
  void cancel(bool client_left = false);
  void server_ends();
  void end();
  void send(std::string result);
  void finish(std::string message, int http_status);
  void tell_progress(double done, std::optional<double> total, std::string_view message);
  void tell_status(bool needs_input);
  // `params` with a reference to the task that this call is.
  std::string of_task(std::string params) const;
  void tell_notices_soon();
  void tell_notices();
  // From now on the client is sent progress every few seconds: the last message, or that its user has a question to
  // answer.
  void stay_alive();
  void ask_now(std::vector<InputRequest> requests, std::function<void(Result<Answers, RpcError>)> next);
  void ask_by_retry(const std::vector<InputRequest>& requests,
                    const std::function<void(Result<Answers, RpcError>)>& next);
  std::string binding() const;

  CallFacts facts_;
  std::shared_ptr<Outlet> outlet_;
  std::weak_ptr<ServerPeer> peer_;
  const StateSealer* sealer_;
  std::shared_ptr<OutgoingFilter> filter_;  // may be absent
  boost::asio::any_io_executor executor_;   // may be empty
  CallNotices notices_;
  std::optional<boost::asio::steady_timer> notice_timer_;  // while notices wait to be sent
  std::chrono::milliseconds heartbeat_;
  std::optional<boost::asio::steady_timer> alive_timer_;
  std::string last_message_ = "running";  // of progress, as the handler reported it
  std::size_t asking_ = 0;                // questions that the client has
  double last_progress_ = 0;
  bool done_ = false;
  bool cancelled_ = false;
  bool client_left_ = false;
  std::vector<std::function<void()>> on_cancel_;
  std::function<void()> on_server_end_;
  std::string note_;
  int round_ = 0;
  json::object answers_;  // sealed ones and new ones
  json::object asked_;    // key: digest of the question, as sealed
};

}  // namespace glovebox::mcp
