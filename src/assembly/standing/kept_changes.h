// The changes of runs with an overlay, kept for a while until a person commits or drops them. The changes themselves
// are in this process; a file for each run describes them for other processes, which show them to people.
#pragma once

#include <chrono>
#include <deque>
#include <string>

#include "glovebox/change_set.h"
#include "glovebox/result.h"
#include "mcp/json/json_tree.h"

namespace glovebox::assembly {

class KeptChanges {
 public:
  explicit KeptChanges(std::string folder) : folder_(std::move(folder)) {}
  ~KeptChanges();  // dropped, and the files go
  KeptChanges(const KeptChanges&) = delete;
  KeptChanges& operator=(const KeptChanges&) = delete;

  // `client`: the principal whose run it was. Where there is no more room, the client that has the most gives way.
  void keep(const std::string& client, const std::string& run, const ChangeSet& changes);
  Result<void> settle(const std::string& run, bool commits);
  // [{run, state: kept|committed|dropped}]
  mcp::json::array to_json();

 private:
  struct Kept {
    std::string client;  // without the name that it gives itself
    std::string run;
    ChangeSet changes;
    std::string state = "kept";
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  };
  void forget(std::deque<Kept>::iterator one);
  // The oldest of the client that has the most: one that makes many changes costs no other its own.
  void make_room();
  std::string path_of(const std::string& run) const { return folder_ + "/" + run + ".changes"; }

  std::string folder_;
  std::deque<Kept> kept_;
};

}  // namespace glovebox::assembly
