#include "assembly/views/workflow_lines.h"

#include "mcp/json/json_tree.h"

namespace glovebox::assembly {
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
    const auto counted = [&](const char* key, const std::string& one) {
      const std::string number = number_text(said, key);
      return number + " " + one + (number == "1" ? "" : "s");
    };
    return "workflow of " + counted("tasks", "task") + " in " + counted("layers", "layer");
  }
  if (event.type == "layer_start") return "layer " + number_text(said, "layer") + ": " + ids_of(said);
  if (event.type == "task_start") return "  " + text(said, "task") + " runs";
  if (event.type == "task_complete") {
    return "  " + text(said, "task") + " finished in " + number_text(said, "durationMs") + " ms";
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
      return "  it is unknown whether " + text(said, "task") + " took effect; a person decides";
    return "after layer " + number_text(said, "layer") + " the " + (text(said, "by") == "agent" ? "agent" : "person") +
           " decides what happens next";
  }
  if (event.type == "workflow_complete") return "workflow " + text(said, "status");
  if (event.type == "workflow_abort") {
    const std::string why = text(said, "reason");
    return "workflow " + text(said, "status") + (why.empty() ? "" : ": " + why);
  }
  return "";
}

gateway::ApprovalRequest request_of_layer(const mcp::json::object& waits, const std::string& workflow) {
  mcp::json::array calls;
  const auto* tasks = mcp::array_member(waits, "tasks");
  for (const auto& item : tasks ? *tasks : mcp::json::array()) {
    mcp::json::object rest = item.get_object();
    const std::string id = mcp::string_member(rest, "id").value_or("");
    std::string called = mcp::string_member(rest, "tool").value_or(mcp::string_member(rest, "capability").value_or(""));
    for (const char* key : {"id", "type", "dependencies"}) rest.erase(key);
    const auto colon = called.find(':');
    // What is more than a call's arguments, such as code, retries and grants, is shown as a whole.
    const bool is_call = colon != called.npos && rest.size() == (rest.contains("arguments") ? 2 : 1);
    mcp::json::object call{{"task", id}, {"server", "task " + id}, {"tool", is_call ? "" : called}};
    if (is_call) {
      call["server"] = called.substr(0, colon);
      call["tool"] = called.substr(colon + 1);
      if (const auto* arguments = mcp::object_member(rest, "arguments")) call["arguments"] = *arguments;
    } else {
      call["arguments"] = std::move(rest);
    }
    calls.push_back(std::move(call));
  }
  const auto* layer = mcp::member(waits, "layer");
  gateway::ApprovalRequest request;
  request.id = workflow;
  request.run = workflow;
  request.title = "Layer " + (layer ? mcp::json::serialize(*layer) : "?") + " of workflow " + workflow +
                  " is complete. Continue with the next layer? Tasks in it: " + std::to_string(calls.size());
  request.json = mcp::json::serialize(mcp::json::object{{"title", request.title}, {"calls", std::move(calls)}});
  return request;
}

}  // namespace glovebox::assembly
