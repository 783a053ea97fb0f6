// RunReuse: whether a run has to be made at all. Looks up an earlier result, waits for an identical run that is under
// way, and caches its own result. What makes two runs identical, and which may be cached, is in run_cache.h.
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
  // The record, the settings and the run, which owns it, outlive it.
  RunReuse(std::shared_ptr<Services> services, const store::RunRecord& record, const RunSettings& settings,
           ManagedRun& run);

  // Returns an earlier result, waits for an identical run, or runs the code; all after this returns. False when such a
  // run is never cached: then nothing happens.
  bool serve_from_cache(CheckMode check);
  // The run has used something that a later run cannot get again, or it has ended.
  void never();
  // The run has used a cached result, which expires then.
  void used_kept(std::int64_t expires);
  // The run has ended with this. `definitions` are those of its tools, by server:tool.
  void keep(const Outcome& outcome, const RunJournal& journal, const std::map<std::string, std::string>& definitions);

 private:
  void check_cache();
  void on_searched(std::optional<store::CacheEntry> entry);
  void check_definitions(std::shared_ptr<const store::CacheEntry> entry, std::shared_ptr<ResultConditions> parts);
  void run_uncached();
  void serve(const store::CacheEntry& entry);
  void leave_flight(bool kept);

  std::shared_ptr<Services> services_;
  const store::RunRecord& record_;
  const RunSettings& settings_;
  ManagedRun& run_;
  std::string cache_key_;                // empty: its result is neither looked up nor cached
  bool leads_flight_ = false;            // identical runs wait for its result
  std::optional<std::int64_t> expires_;  // the earliest expiry of the cached results that it used
};

}  // namespace glovebox::gateway
