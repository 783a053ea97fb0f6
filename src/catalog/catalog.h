// Catalog: the tools of all upstream servers, and the only way to call them.
//
// Everything happens on the thread of the executor. Except for that of find(), no callback runs before the function
// that takes it returns. A server is started when it is first used, stopped when it is idle and started again when it
// has ended. One that is broken, slow, chatty or lying affects only its own tools: each call ends with a CallFailure.
//
// The policy is not checked here: a caller brings permission (call/permitted_call.h).
//
// A catalog is destroyed before the loop of its executor, and while no thread is inside one of its functions.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/call/permitted_call.h"
#include "catalog/tool.h"
#include "catalog/tool_source.h"
#include "config/server_spec.h"
#include "glovebox/result.h"

namespace glovebox::catalog {

using config::ServerSpec;

struct ServerHealth {
  std::string name;
  std::string transport;  // stdio or http
  bool classes = false;   // its tools are grouped into classes, which code and rules see as servers
  enum class State {
    kIdle,        // not started: not used yet, or not for a while
    kStarting,    // started or connected, not yet listed
    kReady,       // listed
    kBackingOff,  // ended or unreachable; not tried again before `retry_in`
    kBroken,      // wrong in the config, or failed too often in a row
    kDisabled,
  };
  State state = State::kIdle;
  std::string error;  // the last one, also of a server that is ready again; may be untrusted text
  std::size_t tools = 0;
  int restarts = 0;  // starts after the first
  std::size_t calls_under_way = 0;
  std::chrono::milliseconds retry_in{0};
  std::string era;                   // legacy or modern, once it is known
  std::string revision;              // of the protocol
  std::string info;                  // JSON: the server's description of itself
  std::string instructions;          // for agents; untrusted text
  std::string log_file;              // what it wrote to its standard error; empty where there is none
  std::vector<std::string> remarks;  // such as tools that it lists and that cannot be read
};

// The name of a state: idle, starting, ready, backing-off, broken, disabled.
std::string_view to_string(ServerHealth::State state);

struct CatalogLimits {
  std::size_t max_message_bytes = 64u << 20;    // of one answer
  std::size_t max_listing_bytes = 16u << 20;    // all tools of one server
  std::size_t max_tools = 5000;                 // of one server
  std::size_t max_calls_per_server = 64;        // at once; further ones are queued
  std::chrono::milliseconds first_pause{1000};  // before a server that failed twice in a row is started again; doubles
  std::chrono::milliseconds longest_pause{60'000};
  int most_failures = 10;                   // in a row, then it is broken
  std::size_t most_notifications = 20'000;  // unsolicited, within ten seconds
};

struct CatalogOptions {
  std::vector<ServerSpec> servers;
  std::string state_folder;  // logs/, listings/, tokens/; empty: nothing is kept
  std::string lock_folder;   // mcp.lock; empty: pins end with the catalog
  std::string workspace;     // where servers start that do not say; empty: the current folder
  std::string client_version = "0";
  std::string capabilities = "{}";  // what we declare to servers, as JSON: {"elicitation":{}}
  CatalogLimits limits;
  // The tools, or their state, have changed. Never called from within a function of the catalog.
  std::function<void()> on_change;
  // A server has other prompts or resources now: "prompts" or "resources".
  std::function<void(std::string_view list)> on_offers_changed{};
  // Sends a person to this URL, to give us access; returns where the browser was redirected. Null: there is no person.
  std::function<void(std::string server, std::string url, std::function<void(Result<std::string>)>)> visit;
};

class Catalog : public ToolSource {
 public:
  static std::shared_ptr<Catalog> create(boost::asio::any_io_executor executor, CatalogOptions options);

  // Names of tools are left open: a server may list others when it is first used, and find() knows aliases.
  std::vector<ToolNamespace> namespaces() const override;

  // The config has changed: only servers that differ are stopped, and their calls end.
  virtual void set_servers(std::vector<ServerSpec> servers) = 0;
  // By name; disabled ones and classes as well.
  virtual std::vector<std::string> servers() const = 0;
  // The server's name for what code wrote: the name itself, or the only one that differs just in case and separators;
  // empty when there is none.
  virtual std::string resolve_server(std::string_view written) const = 0;
  virtual std::vector<ServerHealth> health() const = 0;  // of those in the config

  // Of servers that have been listed, or from the last listing, which is kept on disk.
  virtual std::vector<Tool> known_tools() const = 0;
  // Starts the server if need be. Includes refused and quarantined tools; of a server with classes, the tools of all of
  // them.
  virtual void list_tools(std::string server, std::function<void(Result<std::vector<Tool>, CallFailure>)> done) = 0;
  // What is found may be quarantined or refused. Without a start where the last listing has it.
  void find(const std::string& server, const std::string& tool, Found done) override = 0;
  // The tool as it is now known, without waiting for anything; nothing where it is not known.
  virtual std::optional<Tool> known(std::string_view server, std::string_view tool) const = 0;

  // INVALID_ARGUMENTS and where, if the arguments do not fit the tool's schema as it is now known.
  std::optional<CallFailure> why_not(const Tool& tool, const std::string& arguments_json) override = 0;

  // Calls the tool if its definition is still the one with this hash, and pinned: what was judged is what is called.
  // The arguments are checked against the tool's schema. Gives what cancels it: `done` runs with CANCELLED soon, unless
  // the call has ended, and the server is notified. Dropping that does not end the call.
  virtual std::function<void()> call(PermittedCall permitted, CallOptions options, Called done) = 0;
  std::function<void()> call(ApprovedCall approved, CallOptions options, Called done) final {
    return call(static_cast<PermittedCall&&>(approved), std::move(options), std::move(done));
  }

  // What has changed in a quarantined definition, line by line; empty when it is not quarantined.
  virtual std::string diff(const std::string& server, const std::string& tool) const = 0;
  // Pins the definition with this hash, if it is the present one.
  virtual Result<void> approve(const std::string& server, const std::string& tool, const std::string& hash) = 0;

  // What a server offers beside tools: all items of prompts/list, resources/list or resources/templates/list, each as
  // JSON. Starts the server if need be.
  enum class Offer { kPrompts, kResources, kTemplates };
  virtual void list_offers(const std::string& server, Offer offer,
                           std::function<void(Result<std::vector<std::string>, CallFailure>)> done) = 0;

  // Forgets failures, so that the next use starts the server at once.
  virtual void retry(const std::string& server) = 0;
  // Ends all calls and servers. Processes can exit by themselves for as long as the loop still runs.
  virtual void close() = 0;
};

}  // namespace glovebox::catalog
