#include "workflow/live/task_request.h"

#include "base/try.h"
#include "gateway/direct/one_call.h"

namespace glovebox::workflow {
Language language_of(const Task& task) {
  return task.type == Task::Type::kTool ? Language::kJavaScript
                                        : language_named(task.language).value_or(Language::kTypeScript);
}

Result<gateway::ExecuteRequest> make_request(const Task& task, const TaskSurroundings& around, SandboxConfig config,
                                             CheckMode check) {
  gateway::ExecuteRequest request;
  request.intent = task.intent;
  request.language = language_of(task);
  request.config = std::move(config);
  request.careful = true;
  // The time limit of one attempt, including its tool calls.
  if (task.timeout) {
    request.config.timeout = std::min(request.config.timeout, *task.timeout);
    request.config.total_timeout = std::min(request.config.most_time(), *task.timeout);
  }
  json::object context;
  if (task.type == Task::Type::kTool) {
    request.code = gateway::one_call_program(task.server, task.tool, "context.arguments");
    request.name = task.id + ".js";
    request.check = CheckMode::kOff;  // its arguments are checked with the tool's schema
    if (task.timeout) request.config.rpc_timeout = *task.timeout;
    // The call has its own time limit; the program around it must not end first.
    const std::chrono::milliseconds with_start = request.config.rpc_timeout + std::chrono::seconds(5);
    request.config.total_timeout = std::max(request.config.most_time(), with_start);
    request.config.timeout = std::max(request.config.timeout, with_start);
    // A single call needs no other grants.
    for (auto* grant : {&request.config.allow_read, &request.config.allow_write, &request.config.allow_net,
                        &request.config.allow_env, &request.config.allow_run}) {
      grant->clear();
    }
    context["arguments"] = GLOVEBOX_TRY(resolve(json::value(task.arguments), around.input, around.output));
  } else {
    request.code = task.code;
    request.name = task.id + "." + std::string(name_of(request.language));
    request.check = check;
    if (!request.config.allow_write.empty()) request.config.file_mode = FileMode::kOverlay;
    auto given = GLOVEBOX_TRY(resolve(json::value(task.context), around.input, around.output));
    context = std::move(given.get_object());
    context["input"] = around.input;
    context["state"] = around.state.visible();
    json::object deps;
    std::size_t room = kMostContextBytes;
    for (const Seen& seen : around.dependencies) {
      if (seen.output && !take_room(*seen.output, room)) {
        return Failure{ErrorCode::kInvalidArgument,
                       "the outputs of the tasks that it depends on are too large together; let them return less"};
      }
      json::object dependency{{"status", seen.status}, {"output", seen.output ? *seen.output : json::value(nullptr)}};
      if (!seen.error.is_null()) dependency["error"] = seen.error;
      deps[seen.task] = std::move(dependency);
    }
    context["deps"] = std::move(deps);
  }
  request.context_json = json::serialize(context);
  return request;
}

}  // namespace glovebox::workflow
