// Turns a request into a run: its record holds all that a later attempt needs.
#pragma once

#include <string>

#include "gateway/runs/execute_request.h"
#include "gateway/runs/run_settings.h"
#include "gateway/services.h"
#include "store/records.h"

namespace glovebox::gateway {

std::string new_run_id();

struct NewRun {
  store::RunRecord record;
  RunSettings settings;
};
// kInvalidArgument when a pattern for tools cannot be parsed.
Result<NewRun> new_run(const ExecuteRequest& request, const Services& services);

// The audit event of its beginning. The code is written once per log file, then referred to by its digest.
AuditEvent run_started(const store::RunRecord& run, AuditLog& log);

}  // namespace glovebox::gateway
