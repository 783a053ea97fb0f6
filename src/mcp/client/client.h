// Client: our side of a conversation with a server of either era.
//
// Everything happens on the thread of the executor. A server that is broken, slow, chatty or lying affects only its own
// calls: each of them ends with a typed failure, and memory is bounded by the limits of the transport.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "mcp/client/client_transport.h"
#include "mcp/http/header_value.h"
#include "mcp/limits.h"
#include "mcp/server/input_request.h"
#include "mcp/server/server_types.h"
#include "mcp/waiting/answer_timer.h"

namespace glovebox::mcp {

// How to find out which era a server speaks.
enum class EraChoice {
  // Try server/discover, and fall back to initialize if the server does not know that. A server over stdio may exit on
  // a method that it does not know: then connect() fails with kClosed, and kLegacy is worth a try with a new process.
  kAuto,
  kLegacy,  // initialize
  kModern,  // 2026-07-28 or nothing
};

// A question of the server for the person or the model behind us.
using AnswerCallback = std::function<void(Result<std::string, RpcError>)>;
using QuestionHandler = std::function<void(std::string_view method, std::string_view params, AnswerCallback answer)>;

struct ConnectionOptions {
  Implementation info;
  // What we declare, as JSON: questions of kinds that are not in it are refused without asking.
  std::string capabilities = "{}";
  EraChoice era = EraChoice::kAuto;
  std::chrono::milliseconds connect_timeout{30'000};
  // A server of the 2025 era may not answer server/discover at all.
  std::chrono::milliseconds discover_timeout{3'000};
  std::chrono::milliseconds question_timeout = kMaxQuestionTime;
  QuestionHandler on_question;
  std::function<void(std::string_view method, std::string_view params)> on_notification;
  std::function<void(RequestFailure)> on_closed;
};

struct ServerDescription {
  Era era = Era::kLegacy;
  std::string revision;
  std::string capabilities = "{}";  // JSON
  std::string info = "{}";          // JSON
  std::string instructions;
};

struct RequestOptions {
  // Time without an answer. It restarts with each progress notification, and does not run while a question of the
  // server is open: people are slow. But no call waits for longer than ConnectionOptions::question_timeout because of
  // questions.
  std::chrono::milliseconds timeout{30'000};
  std::function<void(double progress, std::optional<double> total, std::string_view message)> on_progress;
  // Identifies this call, and every repetition of it, to the server: in `_meta` of a tool call. Empty: none.
  std::string idempotency_key{};
  // W3C Trace Context, to be passed on with a tool call: in `_meta`, and as a header field over HTTP. Empty: none.
  std::string traceparent{};
  // Otherwise input_required is returned to the caller as the result.
  bool answer_questions = true;
  // For questions that the server asks as its answer to this very request (2026); without it the connection's.
  QuestionHandler on_question{};
};

// The whole message, and its result as a slice of it: the bytes as received, and no tree.
class CallReply {
 public:
  explicit CallReply(Message message) : message_(std::move(message)) {}
  std::string_view result() const { return message_.result(); }

 private:
  Message message_;
};

using CallId = std::uint64_t;
using CallCallback = std::function<void(Result<CallReply, RequestFailure>)>;

class Client : public std::enable_shared_from_this<Client> {
 public:
  static std::shared_ptr<Client> create(boost::asio::any_io_executor executor,
                                        std::unique_ptr<ClientTransport> transport, ConnectionOptions options);
  ~Client();

  // Must be called first, and once.
  void connect(std::function<void(Result<ServerDescription, RequestFailure>)> done);
  const ServerDescription& server() const { return server_; }

  // `params` is a JSON object or empty. The callback runs exactly once, never before this returns.
  CallId call(std::string method, std::string params, RequestOptions options, CallCallback done);
  // tools/call, with the arguments that HTTP mirrors in header fields.
  CallId call_tool(const std::string& name, std::string arguments, RequestOptions options, CallCallback done);
  // Ends the call with kCancelled and notifies the server.
  void cancel(CallId id);
  void notify(std::string_view method, std::string_view params);

  // All items of tools/list and the like, over all pages, each as JSON. `max_bytes` bounds their sum.
  void list(std::string method, std::string items, std::size_t max_bytes,
            std::function<void(Result<std::vector<std::string>, RequestFailure>)> done);
  // The tools, without those that must not be used over this transport; those are returned with the reason.
  struct Tools {
    std::vector<std::string> usable;
    std::vector<std::string> refused;
  };
  void list_tools(std::size_t max_bytes, std::function<void(Result<Tools, RequestFailure>)> done);

  // 2026 era: from now on, notifications that match the filter are passed to on_notification. `done` runs when it ends.
  CallId listen(std::string filter, std::function<void(RequestFailure)> done);

  // Ends everything that is under way with kClosed.
  void close();
  bool closed() const { return closed_; }
  std::size_t calls_under_way() const { return pending_.size(); }

 private:
  struct Pending {
    CallId call = 0;
    std::string method;
    std::string params;
    std::vector<std::pair<std::string, std::string>> fields;
    RequestOptions options;
    CallCallback done;
    std::unique_ptr<AnswerTimer> timer;
    int rounds = 0;
    std::chrono::milliseconds waited{0};  // because of questions
    bool endless = false;
    // Of a call as a task. tasks/result replaces the call that has begun it, and inherits its progress.
    bool begins_task = false;
    std::string task;            // its id, as JSON
    std::string progress_token;  // empty: the request's own id
    std::string last_status;
    std::unique_ptr<boost::asio::steady_timer> poll;
  };
  using Calls = std::map<std::string, Pending, std::less<>>;  // by JSON-RPC id

  Client(boost::asio::any_io_executor executor, std::unique_ptr<ClientTransport> transport, ConnectionOptions options);
  void discover(std::function<void(Result<ServerDescription, RequestFailure>)> done, bool retried);
  void initialize(std::function<void(Result<ServerDescription, RequestFailure>)> done);
  CallId start(Pending pending);
  void send(const std::string& id, Pending& pending);
  void arm(const std::string& id);
  void received(Message message);
  void answered(Message message);
  void asked(const Message& message);
  void notified(const Message& message);
  void input_required(Pending pending, const Message& message);
  void end(const std::string& id, RequestFailure failure);
  void transport_closed(RequestFailure failure);
  // Tasks (tasks/client_tasks.cc).
  bool can_be_task(const std::string& tool) const;
  bool follow_task(Pending& pending, const Message& message);
  void poll_task(const std::string& id, std::chrono::milliseconds interval);
  void note_status(const std::string& id, std::string_view result);
  void give_up_task(const std::string& id, const Pending& pending);
  void answered_too_late(const Message& message);
  Calls::iterator with_progress_token(const std::string& token);
  // `slices` are those of its parameters.
  std::string with_meta(const Pending& pending, const std::string& id, const base::JsonSlices& slices) const;
  bool declares(std::string_view method) const;

  boost::asio::any_io_executor executor_;
  std::unique_ptr<ClientTransport> transport_;
  ConnectionOptions options_;
  json::object capabilities_;
  ServerDescription server_;
  std::string revision_in_use_;
  Era era_ = Era::kLegacy;
  Calls pending_;
  CallId next_call_ = 1;
  std::uint64_t next_id_ = 1;
  int open_questions_ = 0;  // of a server of 2025, which does not say which call one is about
  bool closed_ = false;
  std::map<std::string, std::vector<MirroredArgument>, std::less<>> mirrored_;
  std::set<std::string, std::less<>> task_tools_;  // that may or must be called as tasks
  std::set<std::string> given_up_;                 // abandoned requests for tasks
};

}  // namespace glovebox::mcp
