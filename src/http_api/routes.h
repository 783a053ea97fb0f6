// The table of the API's routes; the OpenAPI document is generated from it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "http_api/query.h"
#include "http_api/role.h"
#include "http_api/workspace_access.h"
#include "mcp/http/http_server.h"
#include "mcp/json/json_tree.h"

namespace glovebox::http_api {

// A request about a workspace, after its caller was authorised. It has copies of what a response is made from: the
// connection may be gone by then.
struct ApiRequest {
  mcp::Caller caller;
  store::Store& store;
  std::string folder;  // of the workspace
  std::string state_folder;
  std::string id;    // {id} of the path
  std::string name;  // {name} of the path
  UrlQuery query;
  mcp::json::object body;  // of a POST
};

// The same on the loop's thread, for what needs more than the store.
struct LoopRequest : ApiRequest {
  const WorkspaceAccess& workspace;
  // To respond later: the executor to wait on, and whether the Api is still there.
  boost::asio::any_io_executor executor;
  std::weak_ptr<const void> alive;
};

struct Route {
  std::string_view method;
  std::string_view path;   // beneath /api/v1/workspaces/{workspace}; {id} and {name} stand for one part each
  ApiRole role;            // the least that may
  std::string_view query;  // names that are known, separated by spaces
  std::string_view summary;
  // Called on the store's thread: it may wait for the store, and read files.
  mcp::PlainResponse (*respond)(const ApiRequest& request);
  // Instead of it, on the loop's thread, which other clients share: it does not wait. The request is gone once it
  // returns.
  using Done = std::function<void(mcp::PlainResponse)>;
  void (*begin)(const LoopRequest& request, Done done) = nullptr;
};

std::span<const Route> routes();

struct Match {
  const Route* route = nullptr;  // null: none has this path
  bool has_path = false;         // one has, with another method
  std::string id;
  std::string name;
};
Match find_route(std::string_view method, std::string_view path);

// The handlers, by what they are about.
mcp::PlainResponse list_approvals(const ApiRequest& request);
mcp::PlainResponse show_approval(const ApiRequest& request);
mcp::PlainResponse answer_approval(const ApiRequest& request);
mcp::PlainResponse show_written_files(const ApiRequest& request);
mcp::PlainResponse list_runs(const ApiRequest& request);
mcp::PlainResponse show_run(const ApiRequest& request);
mcp::PlainResponse show_trace(const ApiRequest& request);
mcp::PlainResponse show_case(const ApiRequest& request);
mcp::PlainResponse show_changes(const ApiRequest& request);
void settle_changes(const LoopRequest& request, Route::Done done);
mcp::PlainResponse cancel_run(const ApiRequest& request);
mcp::PlainResponse list_artifacts(const ApiRequest& request);
mcp::PlainResponse read_artifact(const ApiRequest& request);
mcp::PlainResponse list_workflows(const ApiRequest& request);
mcp::PlainResponse show_workflow(const ApiRequest& request);
mcp::PlainResponse list_workflow_events(const ApiRequest& request);
mcp::PlainResponse command_workflow(const ApiRequest& request);
void fork_workflow(const LoopRequest& request, Route::Done done);
void list_rules(const LoopRequest& request, Route::Done done);
void show_rule_usage(const LoopRequest& request, Route::Done done);
mcp::PlainResponse test_rule(const ApiRequest& request);
void explain_call(const LoopRequest& request, Route::Done done);
void list_servers(const LoopRequest& request, Route::Done done);
void retry_server(const LoopRequest& request, Route::Done done);
void show_server_log(const LoopRequest& request, Route::Done done);
void list_tools(const LoopRequest& request, Route::Done done);
void search_tools(const LoopRequest& request, Route::Done done);
void show_tool(const LoopRequest& request, Route::Done done);
void approve_tool(const LoopRequest& request, Route::Done done);
void start_run(const LoopRequest& request, Route::Done done);
void list_capabilities(const LoopRequest& request, Route::Done done);
mcp::PlainResponse list_gateways(const ApiRequest& request);
mcp::PlainResponse list_sessions(const ApiRequest& request);
mcp::PlainResponse show_metrics(const ApiRequest& request);
void show_config(const LoopRequest& request, Route::Done done);
mcp::PlainResponse list_audit(const ApiRequest& request);
mcp::PlainResponse verify_audit(const ApiRequest& request);

}  // namespace glovebox::http_api
