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

// A request about a workspace, after its caller was authorised.
struct ApiRequest {
  const mcp::PlainRequest& http;
  const WorkspaceAccess& workspace;
  store::Store& store;
  std::string id;    // {id} of the path
  std::string name;  // {name} of the path
  UrlQuery query;
  mcp::json::object body;  // of a POST
  // For what answers later: the executor to wait on, and whether the client is still there.
  boost::asio::any_io_executor executor;
  std::weak_ptr<const void> alive;
};

struct Route {
  std::string_view method;
  std::string_view path;   // beneath /api/v1/workspaces/{workspace}; {id} and {name} stand for one part each
  ApiRole role;            // the least that may
  std::string_view query;  // names that are known, separated by spaces
  std::string_view summary;
  mcp::PlainResponse (*respond)(const ApiRequest& request);
  // Instead of it, what responds later. The request is gone by then.
  using Done = std::function<void(mcp::PlainResponse)>;
  void (*begin)(const ApiRequest& request, Done done) = nullptr;
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
void list_approvals(const ApiRequest& request, Route::Done done);
void show_approval(const ApiRequest& request, Route::Done done);
mcp::PlainResponse answer_approval(const ApiRequest& request);
mcp::PlainResponse show_written_files(const ApiRequest& request);
void list_runs(const ApiRequest& request, Route::Done done);
void show_run(const ApiRequest& request, Route::Done done);
void show_trace(const ApiRequest& request, Route::Done done);
void show_case(const ApiRequest& request, Route::Done done);
mcp::PlainResponse show_changes(const ApiRequest& request);
void settle_changes(const ApiRequest& request, Route::Done done);
mcp::PlainResponse cancel_run(const ApiRequest& request);
mcp::PlainResponse list_artifacts(const ApiRequest& request);
mcp::PlainResponse read_artifact(const ApiRequest& request);
mcp::PlainResponse list_workflows(const ApiRequest& request);
void show_workflow(const ApiRequest& request, Route::Done done);
void list_workflow_events(const ApiRequest& request, Route::Done done);
mcp::PlainResponse command_workflow(const ApiRequest& request);
void fork_workflow(const ApiRequest& request, Route::Done done);
mcp::PlainResponse list_rules(const ApiRequest& request);
mcp::PlainResponse show_rule_usage(const ApiRequest& request);
mcp::PlainResponse test_rule(const ApiRequest& request);
mcp::PlainResponse explain_call(const ApiRequest& request);
mcp::PlainResponse list_servers(const ApiRequest& request);
mcp::PlainResponse retry_server(const ApiRequest& request);
mcp::PlainResponse show_server_log(const ApiRequest& request);
mcp::PlainResponse list_tools(const ApiRequest& request);
void search_tools(const ApiRequest& request, Route::Done done);
void show_tool(const ApiRequest& request, Route::Done done);
mcp::PlainResponse approve_tool(const ApiRequest& request);
void start_run(const ApiRequest& request, Route::Done done);
void list_capabilities(const ApiRequest& request, Route::Done done);
mcp::PlainResponse list_gateways(const ApiRequest& request);
mcp::PlainResponse list_sessions(const ApiRequest& request);
mcp::PlainResponse show_metrics(const ApiRequest& request);
mcp::PlainResponse show_config(const ApiRequest& request);
mcp::PlainResponse list_audit(const ApiRequest& request);
mcp::PlainResponse verify_audit(const ApiRequest& request);

}  // namespace glovebox::http_api
