// The request for a guest when an attempt of a run begins. Each attempt gets the same, as far as the current config
// still allows it.
#pragma once

#include <string>
#include <vector>

#include "gateway/runs/run_settings.h"
#include "gateway/services.h"
#include "glovebox/journal.h"
#include "glovebox/sandbox.h"
#include "store/records.h"

namespace glovebox::gateway {

Language language_of(const store::RunRecord& record);

// Without tools and callbacks, which the caller adds. Values of variables are inserted here, so that the store never
// holds them.
RunRequest attempt_request(const store::RunRecord& record, const RunSettings& settings, const Services& services,
                           std::vector<JournalEntry> history);

}  // namespace glovebox::gateway
