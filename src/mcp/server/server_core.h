// ServerCore: what an MCP server offers, independent of how clients reach it.
//
// Everything happens on one thread: the one that calls it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "mcp/http/caller.h"
#include "mcp/http/header_value.h"
#include "mcp/json/schema.h"
#include "mcp/limits.h"
#include "mcp/server/outgoing_filter.h"
#include "mcp/server/request_state.h"
#include "mcp/server/server_call.h"
#include "mcp/server/server_peer.h"
#include "mcp/server/server_types.h"
#include "mcp/tasks/server_tasks.h"

namespace glovebox::mcp {

struct ServerOptions {
  Implementation info;
  std::string instructions;
  // Seals requestState. A key that is kept lets clients continue after a restart.
  StateKey state_key = random_state_key();
  // For each call of a tool; empty: what handlers send goes out unfiltered.
  std::function<std::shared_ptr<OutgoingFilter>(const CallFacts& facts)> make_filter;
  // A client has left whose calls formed a conversation of their own.
  std::function<void(const std::string& conversation)> on_conversation_ended;
  // The executor of the thread that all of this happens on: with it, notices of a call before its answer are joined.
  boost::asio::any_io_executor executor{};
  // Whether clients are notified of changes of single resources; otherwise they cannot subscribe to them.
  bool tells_of_updates = true;
  // How often a client is notified that a call of its own is still running.
  std::chrono::milliseconds heartbeat = kProgressWhileAsking;
};

class ServerCore {
 public:
  explicit ServerCore(ServerOptions options);
  ~ServerCore();
  ServerCore(const ServerCore&) = delete;
  ServerCore& operator=(const ServerCore&) = delete;

  // Fails when the name is taken or not one that clients accept ([A-Za-z0-9_.-]{1,128}), or a schema is broken.
  // Arguments that do not fit the schema never reach the handler: they are answered with a tool error.
  Result<void> add_tool(ToolDefinition definition, CallHandler handler);
  bool remove_tool(std::string_view name);
  // From now on lists show this. The caller notifies clients with list_changed.
  void set_tool_words(std::string_view name, std::string description, std::string listed_schema);

  Result<void> add_resource(ResourceDefinition definition, CallHandler handler);
  Result<void> add_resource_template(ResourceTemplateDefinition definition, CallHandler handler);
  Result<void> add_prompt(PromptDefinition definition, CallHandler handler);
  void set_completer(CallHandler handler) { completer_ = std::move(handler); }

  // What is offered beyond that, and may differ for each request: items of lists, as JSON, and lookups by a name or URI
  // that was not added.
  using MoreItems =
      std::function<void(const std::shared_ptr<ServerCall>&, std::function<void(std::vector<std::string>)> done)>;
  struct More {
    MoreItems prompts;
    MoreItems resources;
    MoreItems templates;
    CallHandler get_prompt;
    CallHandler read_resource;
  };
  void set_more(More more);

  // For clients that connect from now on.
  void set_instructions(std::string text) { options_.instructions = std::move(text); }

  // Notifies every client that wants it.
  void list_changed(std::string_view list);  // "tools", "prompts" or "resources"
  void resource_updated(std::string_view uri);

  // Calls of one peer are a conversation. Over HTTP without sessions each call is a peer, and names its conversation.
  std::shared_ptr<ServerPeer> connect(Caller caller, std::string conversation = {});

  // Whether a call is under way that needs more time to be answered.
  bool is_at_work() const;
  // Answers every call that is under way, and refuses those that come from here on.
  void end_calls();

  // For peers and transports.
  void conversation_ended(const std::string& conversation) const {
    if (options_.on_conversation_ended) options_.on_conversation_ended(conversation);
  }
  void dispatch(const std::shared_ptr<ServerCall>& call);
  std::string initialize_result(std::string_view revision) const;
  bool offers(std::string_view list) const;
  bool offers_updates() const { return offers("resources") && options_.tells_of_updates; }
  // Of a question to a client. Unique among all peers: a task's question may be shown on another connection than the
  // one that it was asked on, and its answer must not count for a question of that connection.
  std::string next_question_id() { return std::to_string(++questions_); }
  const StateSealer& sealer() const { return sealer_; }
  const boost::asio::any_io_executor& executor() const { return options_.executor; }
  std::chrono::milliseconds heartbeat() const { return options_.heartbeat; }
  // The arguments of a tool that HTTP header fields mirror; null when there is no such tool.
  const std::vector<MirroredArgument>* mirrored(std::string_view tool) const;

 private:
  struct Entry {
    std::string key;   // name or URI
    std::string json;  // as it is in a list
    CallHandler handler;
    std::optional<Schema> schema;  // of a tool's input
    ToolDefinition tool;
    std::vector<MirroredArgument> mirrored;
    std::vector<PromptArgument> arguments;
  };
  using Entries = std::vector<std::shared_ptr<Entry>>;

  static std::shared_ptr<Entry> find(const Entries& entries, std::string_view key);
  Result<void> add(Entries& entries, std::shared_ptr<Entry> entry, bool& offered);
  static void list(const std::shared_ptr<ServerCall>& call, const Entries& entries, std::string_view name,
                   const MoreItems& more = {});
  void call_tool(const std::shared_ptr<ServerCall>& call);
  void run_tool(const std::shared_ptr<ServerCall>& call, const Entry& tool);
  void begin_task(const std::shared_ptr<ServerCall>& call, const Entry& tool);
  void get_prompt(const std::shared_ptr<ServerCall>& call);
  void read_resource(const std::shared_ptr<ServerCall>& call);
  std::string capabilities(bool with_tasks) const;
  std::string discover_result() const;
  std::string info_json() const;

  ServerOptions options_;
  StateSealer sealer_;
  Entries tools_;
  Entries resources_;
  Entries templates_;
  Entries prompts_;
  bool offers_tools_ = false;
  bool offers_resources_ = false;
  bool offers_prompts_ = false;
  bool offers_tasks_ = false;
  ServerTasks tasks_;
  More more_;
  CallHandler completer_;
  std::vector<std::weak_ptr<ServerPeer>> peers_;
  std::uint64_t conversations_ = 0;
  std::uint64_t questions_ = 0;
  bool ended_ = false;
};

// The variables with which the template becomes the URI; nothing when there are none.
std::optional<std::map<std::string, std::string>> match_template(std::string_view uri_template, std::string_view uri);

}  // namespace glovebox::mcp
