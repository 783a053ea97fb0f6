// The end of a run, reported to all but its listeners: the store, the audit log, metrics, log and trace, and the
// gateway that handed its code over.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gateway/runs/run_events.h"
#include "gateway/runs/run_settings.h"
#include "gateway/runs/run_spans.h"
#include "gateway/services.h"
#include "glovebox/error_word.h"
#include "glovebox/journal.h"
#include "store/records.h"

namespace glovebox::gateway {

// For a run that was not ended by its guest.
Outcome outcome_without_guest(Ending ending, const store::RunRecord& record);
Outcome failed_outcome(ErrorWord code, const std::string& message, const store::RunRecord& record);

// What is needed to replay it; nothing when that is too large. `definitions` are those of the tools that it called, by
// server:tool.
std::optional<store::RecordingRecord> recording_of(const std::vector<JournalEntry>& journal,
                                                   const std::vector<ToolNamespace>& tools,
                                                   const std::map<std::string, std::string>& definitions);

struct EndWrite {
  store::Haste haste = store::Haste::kNow;
  bool is_awaited = true;  // false: `written` may be called for failures only
  bool has_tokens = true;  // values of privacy tokens may be stored for it
};
// Posts the end to the store. `written` is called on the gateway's thread, with kConflict, and nothing is written, when
// the run is another gateway's by now.
void post_end(const std::shared_ptr<Services>& services, const RunEnd& end, std::int64_t at, store::RunRemains remains,
              EndWrite how, std::function<void(const Result<void>&)> written);
// Reports the end to the others.
void note_end(const std::shared_ptr<Services>& services, store::RunRecord& record, const RunSettings& settings,
              const RunSpans& spans, const RunEnd& end);

}  // namespace glovebox::gateway
