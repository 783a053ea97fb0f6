// Runs of other gateways that have listeners here. The listeners learn from the store what a run waits for, each
// approval request once, and how it ended.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gateway/runs/run_events.h"
#include "store/store.h"

namespace glovebox::gateway {

class OthersRuns {
 public:
  // `parent`: the run that has called it, if one has.
  void listen(std::string run, const std::string& parent, RunEvents events);
  bool has_listener(const std::string& run) const;
  // The run is this gateway's by now: its listeners leave here, and are passed on.
  using TakeOver = std::function<void(const std::string& parent, const RunEvents& events)>;
  void hand_over(const std::string& run, const TakeOver& to);
  void clear() { others_.clear(); }

  // A poll: what the listeners have yet to learn is read on the store's thread, and then they are notified.
  struct Wanted {
    std::uint64_t listener;
    std::string run;
    std::set<std::string> reported;  // approval requests
  };
  struct News {
    std::uint64_t listener;
    bool is_over = false;
    std::optional<RunEnd> end;  // GATEWAY_DIED when the run is not in the store any more
    std::vector<ApprovalRequest> requests;
  };
  std::vector<Wanted> wanted() const;
  static std::vector<News> read(store::Store& store, const std::vector<Wanted>& wanted);
  void tell(const std::vector<News>& news);

 private:
  struct Listener {
    std::string run;
    std::string parent;
    RunEvents events;
    std::set<std::string> reported;  // approval requests that were reported
  };
  std::map<std::uint64_t, Listener> others_;
  std::uint64_t next_other_ = 1;
};

}  // namespace glovebox::gateway
