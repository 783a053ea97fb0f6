// The trace of a workflow. Its ids are derived from the workflow's own, and its spans from what the store knows: the
// gateway that resumes a workflow continues the same trace, and nothing is written for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "observe/span.h"
#include "policy/profile/client_profile.h"
#include "store/workflows/workflow_records.h"

namespace glovebox::workflow {

// What a workflow's record keeps: the caller's trace context, if it is valid, and the restrictions of the caller's
// token.
std::string config_of(std::string_view traceparent, const std::optional<policy::ClientProfile>& profile = {});
std::optional<policy::ClientProfile> profile_of(const store::WorkflowRecord& workflow);

observe::TraceContext context_of(const store::WorkflowRecord& workflow);
// Runs of a task, whichever attempt they are, are children of its span.
observe::TraceContext task_context(const store::WorkflowRecord& workflow, std::string_view task);

// The workflow, its tasks and its checkpoints; not the runs, which have traces of their own.
observe::Trace trace_of(const store::WorkflowRecord& workflow, const std::vector<store::TaskRecord>& tasks,
                        const std::vector<store::CheckpointRecord>& checkpoints);

}  // namespace glovebox::workflow
