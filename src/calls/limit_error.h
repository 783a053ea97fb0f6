// The error of a run that reaches a limit: which one, the key of the config that raises it, and what it had done
// before.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "glovebox/sandbox.h"

namespace glovebox::calls {

// 30 s, 1.5 s, 250 ms, 5 minutes.
std::string shown_time(std::chrono::milliseconds time);

RunError own_time_error(const SandboxConfig& config);
RunError total_time_error(const SandboxConfig& config);
RunError cpu_error(const RunRequest& request);
RunError memory_error(const RunRequest& request);

// "; before that it called crm.find 3 times, slack.send once"; empty if it called nothing. Names are chosen by the
// code, and are cut.
std::string calls_before(const std::vector<TraceEntry>& trace, std::size_t tool_calls);

}  // namespace glovebox::calls
