// What became of a task's run, as far as the workflow is concerned.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "glovebox/error_word.h"
#include "glovebox/sandbox.h"
#include "store/records.h"
#include "workflow/definition/definition.h"
#include "workflow/scheduler.h"

namespace glovebox::workflow {

struct TaskEnd {
  Scheduler::End end = Scheduler::End::kFailedFinal;
  json::value output;          // of one that completed
  std::string error_code;      // of one that failed
  std::string error_json;      // {type, code, message, …}
  bool may_have_acted = true;  // called a tool that must not be called twice, or had grants to act elsewhere
};

struct TaskGrants {
  bool writes = false;  // files, which are committed with the task
  bool acts = false;    // commands or the network: that cannot be undone
};
TaskGrants grants_of(const SandboxConfig& config);

// `outcome_json` is the ExecutionResult of the run. `is_idempotent` is the owner's declaration about a tool.
using IsIdempotent =
    std::function<bool(const std::string& server, const std::string& tool, const std::string& arguments)>;
TaskEnd judge_end(const Task& task, const TaskGrants& grants, store::RunStatus status, const std::string& outcome_json,
                  const IsIdempotent& is_idempotent);

// Whether the run's outcome lists files that it changed.
bool may_have_changes(const std::string& outcome_json);
// For a task whose run ended well, and whose files are not all there: begun again if that does no harm, else a person
// decides.
TaskEnd lost_files_end(bool none_is_there, bool may_have_acted);

// As if it had never been started.
TaskEnd not_begun_end();
// {code, message} as the error of a task that had no run.
TaskEnd failed_end(ErrorWord code, const std::string& message);

}  // namespace glovebox::workflow
