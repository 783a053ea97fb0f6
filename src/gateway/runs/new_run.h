// A request as the run that it becomes: all of it that a later attempt needs is in the record.
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
// kInvalidArgument when it names tools in a way that nobody understands.
Result<NewRun> new_run(const ExecuteRequest& request, const Services& services);

// The record of its beginning. Its code is written once into a file of the log, and then meant by its digest.
AuditEvent run_started(const store::RunRecord& run, AuditLog& log);

}  // namespace glovebox::gateway
