#include "workflow/command.h"

#include <cmath>

#include "mcp/json/json_tree.h"

namespace glovebox::workflow {
namespace {

constexpr std::pair<CommandType, std::string_view> kCommandNames[] = {
    {CommandType::kAbort, "abort"},
    {CommandType::kPause, "pause"},
    {CommandType::kContinue, "continue"},
    {CommandType::kInjectTasks, "inject_tasks"},
    {CommandType::kReplanDag, "replan_dag"},
    {CommandType::kSkipLayer, "skip_layer"},
    {CommandType::kModifyArgs, "modify_args"},
    {CommandType::kApprovalResponse, "approval_response"},
    {CommandType::kRollback, "rollback"},
};

Failure bad_command(std::string message) {
  return {ErrorCode::kInvalidArgument, std::move(message)};
}

// From 1 on, and exact.
bool is_count(std::optional<double> number) {
  return number && *number >= 1 && *number <= 1e15 && *number == std::floor(*number);
}

}  // namespace

std::string_view name_of(CommandType type) {
  for (const auto& [known, name] : kCommandNames) {
    if (known == type) return name;
  }
  return "";
}

std::optional<CommandType> command_named(std::string_view text) {
  for (const auto& [type, name] : kCommandNames) {
    if (name == text) return type;
  }
  return std::nullopt;
}

Result<json::object> check_payload(CommandType type, std::string_view payload) {
  auto object = mcp::parse_object(payload.empty() ? "{}" : payload);
  if (!object) return bad_command("a command is a JSON object: " + object.failure().message);
  const json::object& said = object.value();
  switch (type) {
    case CommandType::kInjectTasks:
    case CommandType::kReplanDag:
      if (!mcp::array_member(said, "tasks"))
        return bad_command(std::string(name_of(type)) + R"( needs a list of "tasks")");
      break;
    case CommandType::kModifyArgs:
      if (!mcp::string_member(said, "task") || !mcp::object_member(said, "arguments")) {
        return bad_command(R"(modify_args needs "task" and "arguments")");
      }
      break;
    case CommandType::kApprovalResponse: {
      const auto decision = mcp::string_member(said, "decision");
      if (decision && *decision != "retry" && *decision != "skip" && *decision != "fail" && *decision != "done") {
        return bad_command(R"("decision" is "retry", "skip", "fail" or "done")");
      }
      if (decision == "done" && !mcp::member(said, "output")) {
        return bad_command(R"("decision": "done" needs the "output" of the task)");
      }
      if (decision && !mcp::string_member(said, "task"))
        return bad_command(R"("decision" needs the "task" that it is about)");
      const json::value* approved = mcp::member(said, "approved");
      if (!decision && (!approved || !approved->is_bool())) {
        return bad_command(R"(approval_response needs "approved": true or false, or a "decision" about a task)");
      }
      break;
    }
    case CommandType::kRollback:
      if (!is_count(mcp::number_member(said, "checkpoint")))
        return bad_command(R"(rollback needs the number of a "checkpoint")");
      break;
    default: break;
  }
  return object;
}

}  // namespace glovebox::workflow
