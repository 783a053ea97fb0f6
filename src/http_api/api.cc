#include "http_api/api.h"

#include <algorithm>

#include "base/try.h"
#include "base/wall_clock.h"
#include "http_api/from_store.h"
#include "http_api/openapi.h"
#include "http_api/problem.h"
#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

constexpr std::string_view kWorkspaces = "/workspaces/";

std::string_view path_of(std::string_view target) {
  return target.substr(0, target.find('?'));
}

// Behind kApiPath.
std::string_view rest_of(std::string_view target) {
  return path_of(target).substr(kApiPath.size());
}

}  // namespace

Api::Api(const boost::asio::any_io_executor& executor, ApiOptions options)
    : options_(std::move(options)),
      executor_(executor),
      changes_(std::make_shared<Changes>(executor, options_.workspaces)) {}

Api::~Api() {
  changes_->stop();
}

bool Api::has(std::string_view target) {
  const std::string_view path = path_of(target);
  return path == kApiPath || path.starts_with(std::string(kApiPath) + "/");
}

bool Api::is_public(std::string_view method, std::string_view target) {
  if (!has(target)) return false;
  return (method == "GET" && rest_of(target) == "/openapi.json") || (method == "POST" && rest_of(target) == "/session");
}

mcp::PlainResponse Api::respond(const mcp::PlainRequest& request) const {
  if (is_public(request.method, request.target)) {
    return request.method == "GET" ? mcp::PlainResponse{200, openapi(options_.version)} : open_session(request);
  }
  const ApiRole role = role_of(request.caller);
  if (role == ApiRole::kNone)
    return problem(403, "this token may not use the API; create one with: glovebox token new --role approver");
  if (role == ApiRole::kViewer && !options_.filter) return problem(403, "viewers may not use this");
  return for_role(request.caller, respond_to(request, rest_of(request.target), role));
}

mcp::PlainResponse Api::for_role(const mcp::Caller& caller, mcp::PlainResponse response) const {
  if (role_of(caller) != ApiRole::kViewer || response.status != 200) return response;
  auto filtered = options_.filter(caller.principal, std::move(response.body));
  if (!filtered) return problem(403, filtered.failure().message);
  response.body = std::move(filtered).value();
  return response;
}

mcp::PlainResponse Api::respond_to(const mcp::PlainRequest& request, std::string_view path, ApiRole role) const {
  if (path.empty() || path == "/") return request.method == "GET" ? about(role) : problem(405, "use GET");
  return problem(404, "there is nothing here; /api/v1/openapi.json lists all paths");
}

std::variant<mcp::PlainResponse, Api::Ready> Api::prepare(const mcp::PlainRequest& request, std::string_view path,
                                                          ApiRole role) const {
  const std::size_t slash = std::min(path.find('/'), path.size());
  const auto workspace = std::find_if(options_.workspaces.begin(), options_.workspaces.end(),
                                      [&](const WorkspaceAccess& one) { return one.id == path.substr(0, slash); });
  if (workspace == options_.workspaces.end()) return problem(404, "there is no such workspace");
  Match match = find_route(request.method, path.substr(slash));
  if (!match.has_path) return problem(404, "there is nothing here; /api/v1/openapi.json lists all paths");
  if (!match.route) return problem(405, "this path has no " + request.method);
  if (role < match.route->role) {
    return problem(403, "this token is a " + std::string(name_of(role)) + "'s; " +
                            std::string(name_of(match.route->role)) + " is required");
  }
  if (match.route->respond == verify_audit && !options_.may_take_long)
    return problem(501, "not available in a process that runs code: use `glovebox audit verify` or `glovebox ui`");
  auto query = UrlQuery::of(request.target);
  if (!query) return problem_of(query.failure());
  if (const auto unknown = query->unknown(match.route->query)) return problem(400, "there is no parameter " + *unknown);
  auto id = path_text(match.id);
  if (!id) return problem_of(id.failure());
  auto name = path_text(match.name);
  if (!name) return problem_of(name.failure());
  json::object body;
  if (request.method == "POST") {
    auto parsed = mcp::parse_object(request.body);
    if (!parsed) return problem(400, "the body must be a JSON object: " + parsed.failure().message);
    body = std::move(parsed).value();
  }
  const auto store = workspace->store();
  if (!store) return problem_of(store.failure());
  if (!store.value()) return problem(404, "nothing has run in " + workspace->folder + " yet");
  return Ready{match.route,
               std::unique_ptr<LoopRequest>(new LoopRequest{
                   {request.caller, *store.value(), workspace->folder, workspace->state_folder, std::move(id).value(),
                    std::move(name).value(), std::move(query).value(), std::move(body)},
                   *workspace,
                   executor_,
                   std::weak_ptr<const void>(changes_)})};
}

mcp::PlainResponse Api::about(ApiRole role) const {
  json::array workspaces;
  for (const WorkspaceAccess& workspace : options_.workspaces) {
    const auto store = workspace.store();
    json::object shown = {{"id", workspace.id}, {"name", workspace.name}, {"folder", workspace.folder}};
    shown["problem"] = nullptr;
    if (!store) shown["problem"] = store.failure().message;
    if (store && !store.value()) shown["problem"] = "nothing has run here yet";
    workspaces.push_back(std::move(shown));
  }
  return {200, json::serialize(json::object{{"version", options_.version},
                                            {"role", json::string(name_of(role))},
                                            {"now", base::now_ms()},
                                            {"workspaces", std::move(workspaces)}})};
}

mcp::PlainResponse Api::open_session(const mcp::PlainRequest& request) const {
  if (!options_.open_session)
    return problem(404, "there are no sign-in codes here: use a token from `glovebox token new`");
  const auto said = mcp::parse_object(request.body);
  if (!said) return problem(400, "the body must be a JSON object: " + said.failure().message);
  const auto token = options_.open_session(mcp::string_member(said.value(), "code").value_or(""));
  if (!token)
    return problem(403,
                   "the code is wrong or has been used; press Enter in the terminal of `glovebox ui` for a new one");
  return {200, json::serialize(json::object{{"token", *token}})};
}

bool Api::stream(const mcp::PlainRequest& request, const std::shared_ptr<mcp::HttpReply>& reply) const {
  if (!has(request.target)) return false;
  const ApiRole role = role_of(request.caller);
  if (role == ApiRole::kNone || (role == ApiRole::kViewer && !options_.filter)) return false;  // respond() says so
  const std::string_view path = rest_of(request.target);
  if (path == "/events" && request.method == "GET") {
    changes_->follow(reply);
    return true;
  }
  if (!path.starts_with(kWorkspaces)) return false;
  const auto say = [reply](mcp::PlainResponse response) {
    reply->whole(response.status, std::move(response.body), std::move(response.content_type), std::move(response.head));
  };
  auto ready = prepare(request, path.substr(kWorkspaces.size()), role);
  if (auto* const wrong = std::get_if<mcp::PlainResponse>(&ready)) {
    say(std::move(*wrong));
    return true;
  }
  const auto& [route, made] = std::get<Ready>(ready);
  Route::Done done = [this, alive = std::weak_ptr<Changes>(changes_), caller = request.caller,
                      say](mcp::PlainResponse response) {
    if (!alive.expired()) say(for_role(caller, std::move(response)));
  };
  if (route->begin) {
    route->begin(*made, std::move(done));
  } else {
    respond_from_store(*made, route->respond, std::move(done));
  }
  return true;
}

}  // namespace glovebox::http_api
