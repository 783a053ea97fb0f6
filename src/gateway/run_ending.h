// The end of a run, told to all but those who listen to it: the store, the audit log, metrics, log and trace, and
// whoever handed its code over.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateway/run_events.h"
#include "gateway/run_settings.h"
#include "gateway/run_spans.h"
#include "gateway/services.h"
#include "glovebox/journal.h"
#include "store/records.h"

namespace glovebox::gateway {

// Of a run that no guest has ended.
Outcome outcome_without_guest(Ending ending, const store::RunRecord& record);
Outcome failed_outcome(const char* code, const std::string& message, const store::RunRecord& record);

// What a person can repeat it with; nothing when that is too large for them. `definitions` are those of the tools that
// it called, by server:tool.
std::optional<store::RecordingRecord> recording_of(const std::vector<JournalEntry>& journal,
                                                   const std::vector<ToolNamespace>& tools,
                                                   const std::map<std::string, std::string>& definitions);

// A store that is away hears of it later. kConflict, and nothing done, when the run is another gateway's by now.
Result<void> end_run(const std::shared_ptr<Services>& services, store::RunRecord& record, const RunSettings& settings,
                     const RunSpans& spans, const RunEnd& end, store::RunRemains remains);

}  // namespace glovebox::gateway
