// What a run with an overlay would change on the disk: what it is, and whether it comes there.
#include "base/try.h"
#include "base/whole_file.h"
#include "gateway/adoption/liveness.h"
#include "http_api/ask_gateway.h"
#include "http_api/live_folder.h"
#include "http_api/problem.h"
#include "http_api/stored_json.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

constexpr std::size_t kMostChangesBytes = std::size_t{8} << 20;

struct Holder {
  std::string gateway;
  std::string state;
};

// The gateway that has them.
Result<Holder> holder_of(const ApiRequest& request) {
  for (const store::NodeStatus& node : GLOVEBOX_TRY(request.store.node_statuses())) {
    const json::value status = stored_json(node.status);
    const json::array* const kept = status.is_object() ? mcp::array_member(status.get_object(), "changes") : nullptr;
    for (const json::value& one : kept ? *kept : json::array()) {
      if (!one.is_object() || mcp::string_member(one.get_object(), "run") != request.id) continue;
      if (!gateway::owner_lives(request.store, request.state_folder, node.node)) continue;
      return Holder{node.node, mcp::string_member(one.get_object(), "state").value_or("")};
    }
  }
  return Failure{ErrorCode::kNotFound,
                 "no gateway keeps changes of " + request.id +
                     ": the changes of a run with an overlay are kept for an hour, as long as its gateway runs"};
}

Result<json::object> kept_changes(const ApiRequest& request) {
  const Holder holder = GLOVEBOX_TRY(holder_of(request));
  json::object out = {
      {"run", request.id}, {"state", holder.state}, {"gateway", holder.gateway}, {"files", json::array()}};
  const std::string path = live_folder(request.state_folder) + "/" + request.id + ".changes";
  const auto text = is_file_name(request.id) ? base::read_whole_file(path, kMostChangesBytes)
                                             : Failure{ErrorCode::kNotFound, "it is not a run"};
  const json::value described = text ? stored_json(text.value()) : json::value();
  if (const json::object* const whole = described.if_object(); whole && whole->contains("files"))
    out["files"] = whole->at("files");
  return out;
}

}  // namespace

mcp::PlainResponse show_changes(const ApiRequest& request) {
  return respond_with(kept_changes(request));
}

void settle_changes(const LoopRequest& request, Route::Done done) {
  json::object wish = {{"run", request.id}};
  if (const json::value* const decision = mcp::member(request.body, "decision")) wish["decision"] = *decision;
  const auto holder = [](const ApiRequest& held) -> Result<std::string> {
    return GLOVEBOX_TRY(holder_of(held)).gateway;
  };
  ask_gateway(request, kSettleChanges, std::move(wish), std::move(done), holder);
}

}  // namespace glovebox::http_api
