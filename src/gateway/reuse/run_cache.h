// Caching of whole runs: what makes two runs identical, whether a result may be cached, and the result as JSON and
// back.
//
// A result is cached when nothing but code, context, grants, files and cacheable tools went into it. That the code used
// neither the clock nor random numbers is the guest's claim. A guest that lies only passes its own result to the same
// client that runs the same code within the lifetime of the entry. It could also lie in the result itself, so nothing
// is gained.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gateway/runs/run_settings.h"
#include "glovebox/journal.h"
#include "glovebox/sandbox.h"
#include "store/records.h"

namespace glovebox::gateway {

// What a result depends on besides the run itself.
struct RunSurroundings {
  std::string workspace;  // the folder
  std::string policy;     // a digest of all of the config that decides what a run may do and what its result looks like
  std::string check;      // how the code is checked before it runs
};

// Nothing when such a run is never cached: it belongs to a capability or a workflow, is given variables, has an
// overlay, or its context has no canonical form.
std::optional<std::string> run_key(const store::RunRecord& record, const RunSettings& settings,
                                   const RunSurroundings& surroundings);

// What must still hold for a cached result to be valid.
struct ResultConditions {
  std::map<std::string, std::string> definitions;  // of the tools that it called, by server:tool
  std::map<std::string, std::string> files;        // SHA-256 of what it read, by path
};
std::string to_json(const ResultConditions& parts);
std::optional<ResultConditions> run_parts_of(std::string_view json);

// Whether the files are unchanged, as seen with the grants of the run.
bool files_are_the_same(const ResultConditions& parts, const SandboxConfig& config);

// The conditions of a result that may be cached; nothing when it may not. `definitions` are those of its tools, all of
// which are cacheable; the journal is complete.
std::optional<ResultConditions> cacheable_parts(const Outcome& outcome, const std::vector<JournalEntry>& journal,
                                                std::map<std::string, std::string> definitions);

std::string kept_outcome(const Outcome& outcome);
// Nothing when the text is damaged. Seed and clock are the new run's.
std::optional<Outcome> outcome_of_kept(std::string_view json, const store::RunRecord& record);

}  // namespace glovebox::gateway
