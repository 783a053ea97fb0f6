// Commands to a running workflow:
//
//   abort {reason?}                     what runs is cancelled, what is pending does not run
//   pause {}                            what runs comes to its end; nothing new begins
//   continue {decision?, digest?}       ends a pause, or continues after a layer
//   inject_tasks {tasks}                more tasks, behind the layers that have begun
//   replan_dag {tasks}                  these instead of all that are pending
//   skip_layer {}                       the next layer is not run; at a decision it also continues
//   modify_args {task, arguments}       of a task that is pending (of code: its context)
//   approval_response {approval|task, approved, scope?, reason?}   what a person said about a call
//   approval_response {task, decision: retry|skip|fail}            about a task whose outcome is unknown
//   approval_response {task, decision: done, output}               likewise: it happened, and this is what it gave
//   approval_response {approved, digest?, reason?}                 about a layer that a person decides after
//   rollback {checkpoint}               back to there, paused; nothing may be running
//
// Where a person decides after a layer, an approval names by `digest` which tasks it covers (layer_question.h), and an
// agent changes no task before there is an answer.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "workflow/definition/definition.h"

namespace glovebox::workflow {

enum class CommandType {
  kAbort,
  kPause,
  kContinue,
  kInjectTasks,
  kReplanDag,
  kSkipLayer,
  kModifyArgs,
  kApprovalResponse,
  kRollback,
};
std::string_view name_of(CommandType type);
std::optional<CommandType> command_named(std::string_view name);

// What is wrong with a command by itself, whatever workflow it is for.
Result<json::object> check_payload(CommandType type, std::string_view payload);

}  // namespace glovebox::workflow
