#include "frontend/serve/workflow_lines.h"

#include "mcp/json_tree.h"

namespace glovebox::frontend {
namespace {

std::string text(const mcp::json::object& object, const char* key) {
  return mcp::string_member(object, key).value_or("");
}

std::string number_text(const mcp::json::object& object, const char* key) {
  const auto* value = mcp::member(object, key);
  return value ? mcp::json::serialize(*value) : "?";
}

std::string ids_of(const mcp::json::object& object) {
  constexpr std::size_t kMost = 8;
  const auto* tasks = mcp::array_member(object, "tasks");
  if (!tasks) return "";
  std::string ids;
  for (std::size_t i = 0; i < tasks->size() && i < kMost; ++i) {
    if (const auto* id = (*tasks)[i].if_string())
      ids += (ids.empty() ? "" : ", ") + std::string(id->data(), id->size());
  }
  if (tasks->size() > kMost) ids += ", and " + std::to_string(tasks->size() - kMost) + " more";
  return ids;
}

}  // namespace

std::string line_of(const store::WorkflowEvent& event) {
  const auto payload = mcp::parse_object(event.payload);
  if (!payload) return "";
  const mcp::json::object& said = payload.value();
  if (event.type == "workflow_start") {
    return "workflow of " + number_text(said, "tasks") + " tasks in " + number_text(said, "layers") + " layers";
  }
  if (event.type == "layer_start") return "layer " + number_text(said, "layer") + ": " + ids_of(said);
  if (event.type == "task_start") return "  " + text(said, "task") + " runs";
  if (event.type == "task_complete") {
    return "  " + text(said, "task") + " is done in " + number_text(said, "durationMs") + " ms";
  }
  if (event.type == "task_error") {
    const auto* error = mcp::object_member(said, "error");
    return "  " + text(said, "task") + " " + text(said, "status") + ": " +
           (error ? text(*error, "code") + ": " + text(*error, "message") : "");
  }
  if (event.type == "decision_required") {
    const std::string kind = text(said, "kind");
    if (kind == "approval") return "  " + text(said, "task") + " waits for approval " + text(said, "approval");
    if (kind == "outcome_unknown")
      return "  nobody knows whether " + text(said, "task") + " happened; somebody decides";
    return "after layer " + number_text(said, "layer") + " the " + (text(said, "by") == "agent" ? "agent" : "person") +
           " decides how it goes on";
  }
  if (event.type == "workflow_complete") return "workflow " + text(said, "status");
  if (event.type == "workflow_abort") {
    const std::string why = text(said, "reason");
    return "workflow " + text(said, "status") + (why.empty() ? "" : ": " + why);
  }
  return "";
}

}  // namespace glovebox::frontend
