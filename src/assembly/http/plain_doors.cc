#include "assembly/http/plain_doors.h"

#include "assembly/http/observe_http.h"
#include "assembly/http/plain_errors.h"
#include "assembly/http/workflows_http.h"
#include "assembly/standing/person_run.h"
#include "assembly/tool_search.h"
#include "assembly/tool_view.h"
#include "policy/path_grants.h"
#include "ui/page_files.h"

namespace glovebox::assembly {
namespace {

mcp::PlainResponse wrong_token(std::string_view roles) {
  return plain_error(403, "this token may not do that; " + std::string(roles) + " (see `glovebox token --help`)");
}

bool may_see_workflows(const mcp::Caller& caller) {
  return caller.speaks_mcp || caller.answers;
}

// A viewer sees what an agent would.
Result<std::string> without_private_data(gateway::PrivacyGuard& guard, const std::string& principal, std::string body) {
  const auto filter = guard.filter(principal);
  privacy::Filtered shown = filter->json(std::move(body));
  if (shown.any() && filter->mode() == privacy::Mode::kBlock)
    return Failure{ErrorCode::kConflict, "PRIVACY_BLOCKED: the answer contains private data: " + shown.counts()};
  return std::move(shown.text);
}

http_api::ApiOptions api_of(GatewayProcess& process) {
  const cli::Workspace& workspace = process.workspace();
  http_api::ApiOptions options;
  options.version = GLOVEBOX_VERSION;
  options.workspaces.push_back({"1", std::string(policy::last_name(workspace.folder)), workspace.folder,
                                workspace.state_folder, [&process] { return Result<store::Store*>(&process.store()); },
                                [&process] { return workspace_rules(process.workspace(), process.config()); }});
  http_api::WorkspaceAccess& access = options.workspaces.back();
  access.catalog = [&process] { return Result<std::shared_ptr<catalog::Catalog>>(process.shared_catalog()); };
  access.search = [&process](const std::string& intent, std::size_t most, std::function<void(mcp::json::object)> done) {
    discovery::Wish wish;
    wish.intent = intent;
    wish.most = most;
    wish.user = search_user("");
    process.find_tools(std::move(wish), [done = std::move(done)](const auto& found) { done(findings_view(found)); });
  };
  access.declaration = [&process](const catalog::Catalog& catalog, const catalog::Tool& tool,
                                  std::function<void(std::string)> done) {
    process.declare(declaration_of(catalog, tool), std::move(done));
  };
  access.config = [&process]() -> Result<http_api::WorkspaceAccess::Config> {
    return http_api::WorkspaceAccess::Config{process.workspace().config_path, process.config().text,
                                             process.workspace().untrusted};
  };
  access.lock_folder = workspace.dot_folder;
  access.execute = [&process](const mcp::json::object& wish, const mcp::Caller& caller) {
    return run_for_person(process, wish, caller);
  };
  options.filter = [guard = process.privacy()](const std::string& principal, std::string body) {
    return without_private_data(*guard, principal, std::move(body));
  };
  return options;
}

}  // namespace

PlainDoors::PlainDoors(GatewayProcess& process) : process_(process), api_(process.executor(), api_of(process)) {}

bool PlainDoors::is_public(std::string_view method, std::string_view target) {
  return http_api::Api::is_public(method, target) || (method == "GET" && ui::has(target));
}

mcp::PlainResponse PlainDoors::respond(const mcp::PlainRequest& request) {
  if (http_api::Api::has(request.target)) return api_.respond(request);
  if (ui::has(request.target)) return serve_page(request);
  if (is_watched_path(request)) return wrong_token("a viewer's is, or observe.token of the config");
  if (is_workflow_path(request)) return wrong_token("an agent's is");
  return plain_error(404, "there is nothing here; MCP is at /mcp");
}

bool PlainDoors::stream(const mcp::PlainRequest& request, const std::shared_ptr<mcp::HttpReply>& reply,
                        std::function<void()>& on_hang_up) {
  if (http_api::Api::has(request.target)) return api_.stream(request, reply);
  if (is_watched_path(request) && request.caller.watches) {
    serve_observation(process_, request, reply);
    return true;
  }
  if (!is_workflow_path(request) || !may_see_workflows(request.caller)) return false;
  serve_workflows(process_, request, reply, on_hang_up);
  return true;
}

mcp::PlainResponse serve_page(const mcp::PlainRequest& request) {
  if (request.method != "GET") return plain_error(405, "use GET");
  auto served = ui::serve(request.target);
  if (!served) return plain_error(404, "the page has no such file; reload it");
  return {served->status, std::move(served->body), std::string(served->content_type), std::move(served->head)};
}

}  // namespace glovebox::assembly
