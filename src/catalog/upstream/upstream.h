// Upstream: one server, from its first use to its last: started, listed, idle, ended, started again.
//
// Everything happens on the executor's thread, and no callback runs before the function that takes it returns.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "catalog/listing_file.h"
#include "catalog/upstream/server_log.h"
#include "catalog/upstream/upstream_context.h"
#include "mcp/client/client.h"
#include "mcp/json/schema.h"

namespace glovebox::catalog {

class Upstream : public std::enable_shared_from_this<Upstream> {
 public:
  struct Events {
    // A call is about to be sent: the server's name for its tool, or why it must not be called any more.
    std::function<Result<std::string, CallFailure>(const PermittedCall&)> on_send;
    // All tools of the server, before the callers that wait for it are called back.
    std::function<void(const Listing&)> on_listed;
    // Its state has changed.
    std::function<void()> on_change;
    // It has other prompts or resources now: "prompts" or "resources".
    std::function<void(std::string_view list)> on_offers_changed = {};
  };
  using Ready = std::function<void(std::optional<CallFailure>)>;
  using CallId = std::uint64_t;

  static std::shared_ptr<Upstream> create(std::shared_ptr<const UpstreamContext> context, ServerSpec spec,
                                          Events events);
  ~Upstream();

  const ServerSpec& spec() const { return spec_; }
  ServerHealth health() const;
  bool is_ready() const { return state_ == ServerHealth::State::kReady; }

  // Starts the server if need be, and calls back when its tools are listed, or with why they cannot be.
  void want(Ready ready);
  // Starts the server if need be. Calls beyond the limit are queued. `output` is the schema of the tool's results; null
  // where there is none that can be applied.
  CallId call(PermittedCall permitted, CallOptions options, std::shared_ptr<const mcp::Schema> output,
              ToolSource::Called done);
  // It ends soon, and is not sent any more. Nothing happens if it has ended.
  void cancel(CallId id);
  // All items of prompts/list, resources/list or resources/templates/list, each as JSON. Starts the server if need be.
  using Offered = std::function<void(Result<std::vector<std::string>, CallFailure>)>;
  void list_offers(std::string method, std::string items, Offered done);
  void retry();
  // Ends everything, for this reason. It is not started again.
  void close(const std::string& why);

 private:
  struct Call {
    CallId id = 0;
    std::unique_ptr<const PermittedCall> permitted;
    CallOptions options;
    std::shared_ptr<const mcp::Schema> output;
    ToolSource::Called done;
    mcp::CallId under_way = 0;  // zero: queued
    bool repeated = false;
    bool cancelled = false;
  };

  Upstream(std::shared_ptr<const UpstreamContext> context, ServerSpec spec, Events events);
  std::chrono::milliseconds start_time() const;
  void start();
  void connect(mcp::EraChoice era);
  void connected(std::uint64_t generation, mcp::EraChoice era,
                 Result<mcp::ServerDescription, mcp::RequestFailure> server);
  void list(std::uint64_t generation);
  void list_problems(std::uint64_t generation);
  void list_usable(std::uint64_t generation);
  void listed(Result<mcp::Client::Tools, mcp::RequestFailure> tools);
  void list_again();
  void subscribe();
  void notified(std::string_view method, std::string_view params);
  void said(std::string_view params);
  void asked(std::string_view method, std::string_view params, mcp::AnswerCallback answer);
  // Whether what the server says may be about a call that another client has left.
  bool may_mean_another(const std::string& principal) const;
  void ask(const Call* call, std::string_view method, std::string_view params, const mcp::AnswerCallback& answer);
  void ended(std::uint64_t generation, const mcp::RequestFailure& failure);
  void failed(const CallFailure& failure);
  void drop_client();
  void tell(std::optional<CallFailure> failure);
  bool can_send() const { return is_ready() && client_ && !client_->closed(); }
  void send_next_soon();
  void send_next();
  void send(Call& call);
  void answered(CallId id, Result<mcp::CallReply, mcp::RequestFailure> reply);
  void finish(CallId id, Result<ToolResult, CallFailure> result);
  static void report(const Call& call, Result<ToolResult, CallFailure> result);
  void arm_idle();
  void watch_idle();
  void set_state(ServerHealth::State state);
  CallFailure unavailable() const;

  std::shared_ptr<const UpstreamContext> context_;
  ServerSpec spec_;
  Events events_;
  ServerLog log_;
  ServerHealth::State state_ = ServerHealth::State::kIdle;
  std::string error_;
  std::vector<std::string> remarks_;
  std::vector<std::string> problems_;  // of a server with classes, until its tools are listed
  std::size_t tool_count_ = 0;
  std::string remembered_era_;
  mcp::ServerDescription description_;

  std::shared_ptr<mcp::Client> client_;
  std::uint64_t generation_ = 0;      // generation of the client that a callback belongs to
  std::vector<mcp::EraChoice> eras_;  // still to be tried in this start
  std::vector<Ready> waiting_;
  std::map<CallId, Call> calls_;
  CallId next_call_ = 1;
  std::size_t under_way_ = 0;
  bool line_waits_ = false;
  std::uint64_t lost_generation_ = 0;
  bool lost_alone_ = false;
  // Clients whose calls ended on this connection without the server's answer, two at most: such a server may still ask.
  std::set<std::string> left_;
  bool said_cancelled_ = false;  // a cancellation of ours may have been the first to meet the loss of the session

  boost::asio::steady_timer deadline_;
  boost::asio::steady_timer idle_;
  bool idle_is_watched_ = false;
  std::chrono::steady_clock::time_point idle_since_{};
  boost::asio::steady_timer relist_;
  bool relisting_ = false;
  bool relist_wanted_ = false;
  std::size_t notifications_ = 0;
  std::chrono::steady_clock::time_point notifications_since_{};
  int starts_ = 0;
  int failures_ = 0;  // in a row
  std::chrono::steady_clock::time_point ready_since_{};
  std::chrono::steady_clock::time_point retry_at_{};
  bool closed_ = false;
};

}  // namespace glovebox::catalog
