// Meters: what a gateway counts and measures, by name. The names are a contract: dashboards and alerts are written
// against them (docs/observability.md, contrib/).
#pragma once

#include "observe/metrics.h"

namespace glovebox::observe {

class Meters {
 public:
  Meters();

  std::string text() const { return registry_.text(); }
  std::vector<std::string> names() const { return registry_.names(); }

 private:
  Registry registry_;  // declared before the metrics made in it

 public:
  // Runs. `outcome` is a run's status, `type` an ErrorType, `language` ts, js or py.
  Counter& executions;        // language, outcome
  Histogram& execution_ms;    // language
  Counter& execution_errors;  // type
  Counter& blocked_attempts;  // op: what code asked for without a grant
  Gauge& runs_live;
  Gauge& runs_waiting;
  Histogram& sandbox_startup_ms;
  Histogram& sandbox_memory_mb;
  Gauge& pool_size;  // waiting guests, by language
  Gauge& pool_busy;
  Gauge& pool_queued;
  Counter& pool_misses;
  Counter& rewound;

  // Tools.
  Histogram& tools_injected;
  Histogram& tool_discovery_ms;
  Counter& tool_calls;      // server, outcome
  Histogram& tool_call_ms;  // server
  Counter& rate_limited;    // server
  Gauge& server_up;         // server

  // People.
  Counter& http_refused;  // reason: sessions or connections
  Counter& sessions_evicted;
  Gauge& approvals_pending;
  Histogram& approval_wait_ms;

  Histogram& checkpoint_save_ms;
  Counter& cache_hits;  // kind
  Counter& spans_exported;
  Counter& spans_dropped;

  // This process.
  Counter& process_cpu_seconds;
  Gauge& process_resident_bytes;
  Gauge& process_virtual_bytes;
  Gauge& process_open_fds;
  Gauge& process_max_fds;
  Gauge& process_start_seconds;
  Gauge& process_threads;
  Gauge& build_info;  // version
};

// Reads /proc/self; what cannot be read stays as it was.
void update_process_figures(Meters& meters);

}  // namespace glovebox::observe
