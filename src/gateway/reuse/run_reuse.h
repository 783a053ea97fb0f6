// Whether a run has to be made at all: looks for an earlier result of the same, waits for one that is being made, and
// keeps its own for later. What makes two runs the same, and which may be kept, is run_cache.h.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "gateway/reuse/run_cache.h"
#include "gateway/runs/code_check.h"
#include "gateway/runs/run_journal.h"
#include "gateway/services.h"
#include "store/records.h"

namespace glovebox::gateway {

class ManagedRun;

class RunReuse {
 public:
  // The record and the settings outlive it, and so does the run, which it is a part of.
  RunReuse(std::shared_ptr<Services> services, const store::RunRecord& record, const RunSettings& settings,
           ManagedRun& run);

  // Serves an earlier result, waits for one that is being made, or runs the code; none of it before this returns. False
  // when such a run is never kept, and nothing happens.
  bool look(CheckMode check);
  // Something went into the run that a later one cannot have for the asking, or it has ended.
  void never();
  // An answer that was kept went into it, and expires then.
  void used_kept(std::int64_t expires);
  // The run has ended with this. `definitions` are those of its tools, by server:tool.
  void keep(const Outcome& outcome, const RunJournal& journal, const std::map<std::string, std::string>& definitions);

 private:
  void look_into_cache();
  void check_definitions(std::shared_ptr<const store::CacheEntry> entry, std::shared_ptr<ResultConditions> parts);
  void run_uncached();
  void serve(const store::CacheEntry& entry);
  void leave_flight(bool kept);

  std::shared_ptr<Services> services_;
  const store::RunRecord& record_;
  const RunSettings& settings_;
  ManagedRun& run_;
  std::string cache_key_;                // empty: its result is neither looked for nor kept
  bool leads_flight_ = false;            // others wait for its result
  std::optional<std::int64_t> expires_;  // the first of the kept answers that it got
};

}  // namespace glovebox::gateway
