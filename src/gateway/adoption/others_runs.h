// Runs of other gateways that have listeners here. The listeners learn from the store what a run waits for, each
// approval request once, and how it ended.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>

#include "gateway/runs/run_events.h"
#include "store/store.h"

namespace glovebox::gateway {

class OthersRuns {
 public:
  void listen(std::string run, RunEvents events);
  // `adopt` is called for each; if the run is this gateway's by now, it takes over the listener and returns true.
  void poll(store::Store& store, const std::function<bool(const std::string& run, const RunEvents& events)>& adopt);
  void clear() { others_.clear(); }

 private:
  struct Listener {
    std::string run;
    RunEvents events;
    std::set<std::string> reported;  // approval requests that were reported
  };
  std::map<std::uint64_t, Listener> others_;
  std::uint64_t next_other_ = 1;
};

}  // namespace glovebox::gateway
