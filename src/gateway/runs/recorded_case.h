// A recorded run as the case that `glovebox test` repeats: docs/testing-runs.md has the format.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/result.h"
#include "store/records.h"

namespace glovebox::gateway {

inline constexpr std::string_view kCaseVersion = "1";
// Why a run that has ended may have no recording.
inline constexpr std::string_view kNotRecorded =
    "is not recorded: it was cancelled or never began, its result came from the cache, what it received is beyond 1 "
    "MB, "
    "or store.recordRuns is false";

// How a run ended, from its ExecutionResult: {"value": …} or {"error": {type, code, message}}.
Result<std::string> recorded_end(std::string_view outcome_json);

Result<std::string> recorded_case(const store::RunRecord& run, const store::RecordingRecord& recording);

}  // namespace glovebox::gateway
