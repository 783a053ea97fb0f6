// What a run that has ended adds to the metrics and to the log.
#pragma once

#include "glovebox/sandbox.h"
#include "observe/log.h"
#include "observe/meters.h"
#include "store/records.h"

namespace glovebox::gateway {

void measure_run(observe::Meters& meters, const store::RunRecord& run, store::RunStatus status, const Outcome& outcome);

// Logs its end, and what it was denied, as warnings.
void log_run(observe::Log& log, const store::RunRecord& run, store::RunStatus status, const Outcome& outcome,
             std::int64_t now_ms);

// The label of a call's server: a name that only the code has made up is not used.
std::string server_label(const std::string& server, bool is_known);

}  // namespace glovebox::gateway
