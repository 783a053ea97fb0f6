// What a guest is given when an attempt of a run begins. Each attempt gets the very same, as far as the config of that
// day still gives it.
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

// Tools, and whoever is to hear of it, are the caller's to add. Values of variables are put in here, so that the store
// never holds them.
RunRequest life_request(const store::RunRecord& record, const RunSettings& settings, const Services& services,
                        std::vector<JournalEntry> history);

}  // namespace glovebox::gateway
