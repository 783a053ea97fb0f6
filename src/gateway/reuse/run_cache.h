// A whole run as something that serves again: what makes two runs the same, whether one may be kept, and its result as
// JSON and back.
//
// A result is kept when nothing but code, context, grants, files and cacheable tools went into it. That the code used
// neither the clock nor random numbers is what its guest says. A guest that lies gives its own result to the same
// client that runs the same code within the lifetime of the entry, which it could do by lying in the result itself:
// nothing is gained.
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

// What a result depends on beside the run itself.
struct RunSurroundings {
  std::string workspace;  // the folder
  std::string policy;     // a digest of all of the config that decides what a run may do and what its answer looks like
  std::string check;      // how the code is checked before it runs
};

// Nothing when such a run is never kept: it is a capability's or a workflow's, has an overlay, or its context has no
// canonical form.
std::optional<std::string> run_key(const store::RunRecord& record, const RunSettings& settings,
                                   const RunSurroundings& surroundings);

// What must still be so for a kept result to hold.
struct ResultConditions {
  std::map<std::string, std::string> definitions;  // of the tools that it called, by server:tool
  std::map<std::string, std::string> files;        // SHA-256 of what it read, by path
};
std::string to_json(const ResultConditions& parts);
std::optional<ResultConditions> run_parts_of(std::string_view json);

// Whether the files are as they were, seen with the grants of the run.
bool files_are_the_same(const ResultConditions& parts, const SandboxConfig& config);

// The parts of a run that may be kept; nothing when it may not. `definitions` are those of its tools, all of which are
// cacheable; the journal is all of it.
std::optional<ResultConditions> cacheable_parts(const Outcome& outcome, const std::vector<JournalEntry>& journal,
                                                std::map<std::string, std::string> definitions);

std::string kept_outcome(const Outcome& outcome);
// Nothing when the text is damaged. Seed and clock are the new run's.
std::optional<Outcome> outcome_of_kept(std::string_view json, const store::RunRecord& record);

}  // namespace glovebox::gateway
