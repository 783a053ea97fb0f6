#include "assembly/views/workflow_branches.h"

#include <algorithm>
#include <cmath>

#include "base/try.h"

namespace glovebox::assembly {
namespace {

Failure wrong_branch(const std::string& why) {
  return {ErrorCode::kInvalidArgument, why};
}

// Nothing when it is not said.
Result<std::optional<std::int64_t>> checkpoint_in(const mcp::json::object& said) {
  if (!mcp::member(said, "checkpoint")) return std::optional<std::int64_t>();
  const auto number = mcp::number_member(said, "checkpoint");
  if (!number || *number < 1 || *number > 1e15 || *number != std::floor(*number)) {
    return wrong_branch("\"checkpoint\" is the number of a checkpoint, from 1");
  }
  return std::optional(static_cast<std::int64_t>(*number));
}

// An unknown word is refused: it would be a mistake that goes unseen.
Result<void> check_members(const mcp::json::object& said, std::initializer_list<std::string_view> known) {
  for (const auto& member : said) {
    const std::string_view key(member.key().data(), member.key().size());
    if (std::find(known.begin(), known.end(), key) == known.end())
      return wrong_branch("\"" + std::string(key) + "\" is unknown here");
  }
  return {};
}

Result<workflow::ForkRequest> fork_in(const mcp::json::object& said) {
  GLOVEBOX_TRY_VOID(check_members(said, {"checkpoint", "args", "input"}));
  workflow::ForkRequest request;
  request.checkpoint = GLOVEBOX_TRY(checkpoint_in(said)).value_or(0);
  if (const mcp::json::value* arguments = mcp::member(said, "args")) {
    if (!arguments->is_object()) return wrong_branch("\"args\" has an object for each task");
    for (const auto& task : arguments->get_object()) {
      const std::string id(task.key().data(), task.key().size());
      if (!task.value().is_object()) return wrong_branch("\"args\": the value for task " + id + " is not an object");
      request.arguments[id] = task.value().get_object();
    }
  }
  if (const mcp::json::value* input = mcp::member(said, "input")) request.input = *input;
  return request;
}

}  // namespace

void fork_workflow(workflow::WorkflowEngine& engine, const std::string& workflow, const mcp::json::object& said,
                   const std::string& client, const std::string& session,
                   const std::optional<policy::ClientProfile>& profile, workflow::WorkflowEngine::Started done) {
  auto request = fork_in(said);
  if (!request) return done(request.failure());
  request->workflow = workflow;
  request->client = client;
  request->session = session;
  request->profile = profile;
  engine.fork(*request, std::move(done));
}

void roll_back_workflow(workflow::WorkflowEngine& engine, const std::string& workflow, const mcp::json::object& said,
                        const std::string& who, const std::string& channel, workflow::WorkflowEngine::Commanded done) {
  if (const auto known = check_members(said, {"checkpoint"}); !known) return done(known);
  const auto checkpoint = checkpoint_in(said);
  if (!checkpoint) return done(checkpoint.failure());
  if (!checkpoint.value()) return done(wrong_branch("\"checkpoint\" says where to"));
  engine.roll_back(workflow, **checkpoint, who, channel, std::move(done));
}

}  // namespace glovebox::assembly
