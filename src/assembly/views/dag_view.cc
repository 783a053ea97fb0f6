#include "assembly/views/dag_view.h"

#include "base/text/utf8.h"

namespace glovebox::assembly {
namespace {

using base::json_text;

std::string id_of(std::size_t place) {
  return "t" + std::to_string(place + 1);
}

std::string place_of(const SourcePosition& position) {
  return R"(,"line":)" + std::to_string(position.line) + R"(,"column":)" + std::to_string(position.column);
}

std::string tasks_of(const std::vector<std::size_t>& places) {
  std::string list = "[";
  for (const std::size_t place : places) list += (list.size() > 1 ? "," : "") + json_text(id_of(place));
  return list + "]";
}

std::string task_of(const PlannedCall& call, std::size_t place, const WhereOf& where) {
  std::string json = R"({"id":)" + json_text(id_of(place)) + R"(,"tool":)" + json_text(call.server + ":" + call.tool);
  if (where) json += R"(,"where":)" + json_text(where(call));
  json += place_of(call.position);
  if (!call.when.empty()) {
    json += R"(,"when":[)";
    for (const std::string& condition : call.when) json += (json.back() == '[' ? "" : ",") + json_text(condition);
    json += "]";
  }
  json += R"(,"from":)" + tasks_of(call.from) + R"(,"after":)" + tasks_of(call.after);
  if (call.is_conditional) json += R"(,"conditional":true)";
  if (call.is_repeated) json += R"(,"repeated":true)";
  if (call.is_mentioned) json += R"(,"mentioned":true)";
  return json + "}";
}

}  // namespace

std::string dag_json(const ToolPlan& plan, const WhereOf& where) {
  std::string json = R"({"tasks":[)";
  for (std::size_t i = 0; i < plan.calls.size(); ++i) json += (i > 0 ? "," : "") + task_of(plan.calls[i], i, where);
  json += R"(],"dynamic":[)";
  for (const DynamicUse& use : plan.dynamic) {
    if (json.back() != '[') json += ',';
    json += R"({"what":)" + json_text(use.what) + place_of(use.position) + "}";
  }
  const bool complete = plan.flows_known && plan.dynamic.empty() && !plan.error;
  return json + R"(],"complete":)" + (complete ? "true}" : "false}");
}

}  // namespace glovebox::assembly
