// MCP servers and their tools: as they were last listed, how each gateway sees them, and what has changed in a tool's
// definition since it was pinned.
#include <algorithm>
#include <map>

#include "base/text/utf8.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "base/whole_file.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/wake.h"
#include "gateway/audit/audit_anchor.h"
#include "http_api/from_store.h"
#include "http_api/problem.h"
#include "http_api/routes.h"
#include "http_api/stored_json.h"
#include "store/thread/ask_store.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;
using catalog::Tool;

constexpr std::size_t kMostInShort = 200;
constexpr std::size_t kMostLog = std::size_t{256} << 10;

Result<std::shared_ptr<catalog::Catalog>> catalog_of(const LoopRequest& request) {
  if (!request.workspace.catalog) return Failure{ErrorCode::kNotFound, "servers are not available here"};
  return request.workspace.catalog();
}

const char* state_of(const Tool& tool) {
  switch (tool.state) {
    case Tool::State::kUsable: return "usable";
    case Tool::State::kQuarantined: return "quarantined";
    case Tool::State::kRefused: return "refused";
  }
  return "";
}

json::object in_short(const Tool& tool) {
  std::string first = tool.description.substr(0, tool.description.find('\n'));
  if (first.size() > kMostInShort) first = std::string(base::beginning_of(first, kMostInShort)) + "…";
  return {{"server", tool.server}, {"name", tool.name},       {"title", tool.title},
          {"description", first},  {"state", state_of(tool)}, {"reason", tool.reason}};
}

// What gateways say of their servers, by server.
Result<std::map<std::string, json::array>> standings(const ApiRequest& request) {
  std::map<std::string, json::array> by_server;
  for (const store::NodeStatus& node : GLOVEBOX_TRY(request.store.node_statuses())) {
    if (!gateway::owner_lives(request.store, request.state_folder, node.node)) continue;
    const json::value status = stored_json(node.status);
    const json::array* const servers = status.is_object() ? mcp::array_member(status.get_object(), "servers") : nullptr;
    for (const json::value& server : servers ? *servers : json::array()) {
      const auto name = server.is_object() ? mcp::string_member(server.get_object(), "name") : std::nullopt;
      if (!name) continue;
      json::object seen = server.get_object();
      seen["gateway"] = node.node;
      seen["at"] = node.at;
      by_server[*name].push_back(std::move(seen));
    }
  }
  return by_server;
}

// Without what gateways say of them.
Result<json::array> listed_servers(const LoopRequest& request) {
  const auto catalog = GLOVEBOX_TRY(catalog_of(request));
  const std::vector<Tool> tools = catalog->known_tools();
  json::array out;
  for (const catalog::ServerHealth& server : catalog->health()) {
    const auto count = [&](Tool::State state) {
      return std::count_if(tools.begin(), tools.end(), [&](const Tool& tool) {
        return tool.state == state && (tool.server == server.name || tool.owner == server.name);
      });
    };
    out.push_back(json::object{{"name", server.name},
                               {"transport", server.transport},
                               {"disabled", server.state == catalog::ServerHealth::State::kDisabled},
                               {"usable", count(Tool::State::kUsable)},
                               {"quarantined", count(Tool::State::kQuarantined)},
                               {"refused", count(Tool::State::kRefused)}});
  }
  return out;
}

Result<json::object> found_servers(const ApiRequest& request, json::array servers) {
  auto seen = GLOVEBOX_TRY(standings(request));
  for (json::value& server : servers) {
    json::object& one = server.get_object();
    one["gateways"] = std::move(seen[std::string(one.at("name").as_string())]);
  }
  return json::object{{"servers", std::move(servers)}};
}

Result<void> check_is_server(const LoopRequest& request) {
  const auto catalog = GLOVEBOX_TRY(catalog_of(request));
  for (const catalog::ServerHealth& server : catalog->health())
    if (server.name == request.id) return {};
  return Failure{ErrorCode::kNotFound, "there is no server " + request.id};
}

// Every live gateway is asked: each knows by itself whether it has given the server up.
Result<json::object> ask_to_retry(const ApiRequest& request) {
  std::size_t asked = 0;
  for (const store::NodeRecord& node : GLOVEBOX_TRY(request.store.nodes())) {
    if (!gateway::owner_lives(request.store, request.state_folder, node.id)) continue;
    GLOVEBOX_TRY_VOID(request.store.add_node_request(
        {node.id, "retry_server", request.id, request.caller.principal, base::now_ms()}));
    gateway::wake_gateway(request.state_folder, node.id);
    ++asked;
  }
  if (asked == 0)
    return Failure{ErrorCode::kConflict, "no gateway is running here: the server starts when it is first used"};
  return json::object{{"server", request.id}, {"gateways", asked}};
}

Result<json::object> server_log(const ApiRequest& request) {
  // The name is one of the config's, which have letters, digits, - and _ alone.
  const auto text = base::read_whole_file(request.state_folder + "/logs/" + request.id + ".log", std::size_t{64} << 20);
  std::string log = text ? text.value() : std::string();
  if (log.size() > kMostLog) log.erase(0, log.find('\n', log.size() - kMostLog) + 1);
  return json::object{{"server", request.id}, {"log", log}};
}

Result<json::object> found_tools(const LoopRequest& request) {
  const auto catalog = GLOVEBOX_TRY(catalog_of(request));
  const std::string only = request.query.text("server");
  json::array out;
  for (const Tool& tool : catalog->known_tools())
    if (only.empty() || tool.server == only || tool.owner == only) out.push_back(in_short(tool));
  return json::object{{"tools", std::move(out)}};
}

// server:tool; a server's name has no colon.
Result<Tool> find_tool(const ApiRequest& request, const catalog::Catalog& catalog) {
  const std::size_t colon = request.id.find(':');
  for (const Tool& tool : catalog.known_tools())
    if (colon != request.id.npos && tool.server == request.id.substr(0, colon) &&
        tool.name == request.id.substr(colon + 1))
      return tool;
  return Failure{ErrorCode::kNotFound, "there is no tool " + request.id + "; name it as server:tool"};
}

// Without its declaration.
json::object one_tool(const catalog::Catalog& catalog, const Tool& found) {
  json::object out = in_short(found);
  out["description"] = found.description;
  out["hash"] = found.hash;
  out["alias"] = found.alias;
  out["inputSchema"] = stored_json(found.input_schema);
  out["outputSchema"] = stored_json(found.output_schema);
  out["annotations"] = stored_json(found.annotations);
  out["declaration"] = "";
  out["diff"] = catalog.diff(found.server, found.name);
  return out;
}

// The hash is that of the definition that was shown: another one is not approved with it.
Result<Tool> shown_tool(const ApiRequest& request, const catalog::Catalog& catalog) {
  Tool found = GLOVEBOX_TRY(find_tool(request, catalog));
  const auto hash = mcp::string_member(request.body, "hash");
  if (!hash) return Failure{ErrorCode::kInvalidArgument, R"("hash" must be that of the definition that was shown)"};
  if (found.state != Tool::State::kQuarantined)
    return Failure{ErrorCode::kConflict, request.id + " is not quarantined"};
  if (*hash != found.hash)
    return Failure{ErrorCode::kConflict, "the definition has changed in the meantime: review it again"};
  return found;
}

// What cannot be written down does not happen.
Result<void> write_approval(const ApiRequest& request, const std::string& hash) {
  auto log = GLOVEBOX_TRY(gateway::open_audit(request.store, request.state_folder, {}, base::now_ms));
  GLOVEBOX_TRY_VOID(log.append(gateway::AuditEvent("tool.approved")
                                   .text("tool", request.id)
                                   .text("definition", hash)
                                   .text("who", request.caller.principal)));
  return gateway::anchor_audit(request.store, log);
}

// The catalog, which belongs to the loop's thread, knows the server; the rest comes from the store and its files.
void respond_about_server(const LoopRequest& request, Route::Done done,
                          Result<json::object> (*made)(const ApiRequest& held)) {
  if (const auto known = check_is_server(request); !known) return done(problem_of(known.failure()));
  respond_from_store(
      request, [made](const ApiRequest& held) { return respond_with(made(held)); }, std::move(done));
}

}  // namespace

void list_servers(const LoopRequest& request, Route::Done done) {
  const auto servers = listed_servers(request);
  if (!servers) return done(problem_of(servers.failure()));
  respond_from_store(
      request, [servers = *servers](const ApiRequest& held) { return respond_with(found_servers(held, servers)); },
      std::move(done));
}

void retry_server(const LoopRequest& request, Route::Done done) {
  respond_about_server(request, std::move(done), ask_to_retry);
}

void show_server_log(const LoopRequest& request, Route::Done done) {
  respond_about_server(request, std::move(done), server_log);
}

void list_tools(const LoopRequest& request, Route::Done done) {
  done(respond_with(found_tools(request)));
}

void search_tools(const LoopRequest& request, Route::Done done) {
  const auto most = request.query.number("limit", 10, 1, 100);
  if (!most) return done(problem_of(most.failure()));
  const std::string intent = request.query.text("q");
  if (intent.empty()) return done(problem(400, R"("q" is what you want to do, in words)"));
  if (!request.workspace.search) return done(problem(404, "tools are not available here"));
  request.workspace.search(intent, static_cast<std::size_t>(most.value()), [done](const json::object& found) {
    done({200, json::serialize(found)});
  });
}

void show_tool(const LoopRequest& request, Route::Done done) {
  const auto catalog = catalog_of(request);
  if (!catalog) return done(problem_of(catalog.failure()));
  const auto found = find_tool(request, **catalog);
  if (!found) return done(problem_of(found.failure()));
  const auto out = std::make_shared<json::object>(one_tool(**catalog, *found));
  if (!request.workspace.declaration || found->state != Tool::State::kUsable) return done(respond_with(*out));
  request.workspace.declaration(**catalog, *found, [out, done](const std::string& declaration) {
    (*out)["declaration"] = declaration;
    done(respond_with(*out));
  });
}

void approve_tool(const LoopRequest& request, Route::Done done) {
  const auto catalog = catalog_of(request);
  if (!catalog) return done(problem_of(catalog.failure()));
  const auto found = shown_tool(request, **catalog);
  if (!found) return done(problem_of(found.failure()));
  store::ask_store(
      request.store, request.executor,
      [held = ApiRequest(request), hash = found->hash](store::Store&) { return write_approval(held, hash); },
      [catalog = *catalog, tool = *found, id = request.id, done = std::move(done)](const Result<void>& written) {
        if (!written) return done(problem_of(written.failure()));
        const auto approved = catalog->approve(tool.server, tool.name, tool.hash);
        done(approved ? respond_with(json::object{{"tool", id}, {"hash", tool.hash}}) : problem_of(approved.failure()));
      });
}

}  // namespace glovebox::http_api
