// Runs of other gateways that have listeners here. They hear what the store says: what a run waits for, each approval
// once, and how it ended.
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
  // `adopt` is told of each of them, and takes the listener over, and says so, when the run is this gateway's by now.
  void look(store::Store& store, const std::function<bool(const std::string& run, const RunEvents& events)>& adopt);
  void clear() { others_.clear(); }

 private:
  struct Listener {
    std::string run;
    RunEvents events;
    std::set<std::string> told;  // approvals
  };
  std::map<std::uint64_t, Listener> others_;
  std::uint64_t next_other_ = 1;
};

}  // namespace glovebox::gateway
