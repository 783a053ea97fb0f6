#include "assembly/views/plan_view.h"

#include "base/text/utf8.h"

namespace glovebox::assembly {
namespace {

using base::json_text;

std::string place_and_end(const SourcePosition& position) {
  return R"(,"line":)" + std::to_string(position.line) + R"(,"column":)" + std::to_string(position.column) + "}";
}

}  // namespace

std::string to_json(const ToolPlan& plan) {
  std::string json = R"({"tools":[)";
  for (const PlannedTool& tool : plan.tools) {
    if (json.back() != '[') json += ',';
    json +=
        R"({"server":)" + json_text(tool.server) + R"(,"tool":)" + json_text(tool.tool) + place_and_end(tool.position);
    if (tool.when.empty()) continue;
    json.pop_back();
    json += R"(,"when":[)";
    for (const std::string& condition : tool.when) {
      if (json.back() != '[') json += ',';
      json += json_text(condition);
    }
    json += "]}";
  }
  json += R"(],"dynamic":[)";
  for (const DynamicUse& use : plan.dynamic) {
    if (json.back() != '[') json += ',';
    json += R"({"what":)" + json_text(use.what) + place_and_end(use.position);
  }
  json += "]";
  if (plan.error) {
    json += R"(,"error":{"type":)" + json_text(name_of(plan.error->type)) + R"(,"code":)" +
            json_text(plan.error->code) + R"(,"message":)" + json_text(plan.error->message) + "}";
  }
  return json + "}";
}

}  // namespace glovebox::assembly
