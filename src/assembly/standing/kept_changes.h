// The changes of runs with an overlay, kept for a while until a person commits or drops them. The changes themselves
// are in this process; a file for each run describes them for other processes, which show them to people.
//
// The disk may take seconds for any of it, so it has a thread of its own; everything else is the executor's.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <string>

#include "base/lane.h"
#include "glovebox/change_set.h"
#include "glovebox/result.h"
#include "mcp/json/json_tree.h"

namespace glovebox::assembly {

class KeptChanges {
 public:
  // `on_described` is called whenever the changes of another run can be shown.
  KeptChanges(boost::asio::any_io_executor executor, std::string folder, std::function<void()> on_described)
      : executor_(std::move(executor)), folder_(std::move(folder)), on_described_(std::move(on_described)) {}
  // What a person has asked for is done; the rest is dropped, and the files go.
  ~KeptChanges();
  KeptChanges(const KeptChanges&) = delete;
  KeptChanges& operator=(const KeptChanges&) = delete;

  // `client`: the principal whose run it was. Where there is no more room, the client that has the most gives way.
  void keep(const std::string& client, const std::string& run, const ChangeSet& changes);
  void settle(const std::string& run, bool commits, std::function<void(const Result<void>&)> done);
  // [{run, state: kept|committed|dropped}]
  mcp::json::array to_json();

 private:
  struct Kept {
    std::string client;  // without the name that it gives itself
    std::string run;
    ChangeSet changes;
    bool is_described = false;  // its file is there
    bool is_settled = false;    // or is being settled
    std::string state = "kept";
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  };
  std::deque<Kept>::iterator find(const std::string& run);
  void forget(std::deque<Kept>::iterator one);
  // The oldest of the client that has the most: one that makes many changes costs no other its own.
  void make_room();
  // `work` on the thread of the disk, one after the other; then `then`, unless this is gone.
  void on_disk(std::function<Result<void>()> work, std::function<void(const Result<void>&)> then);
  std::string path_of(const std::string& run) const { return folder_ + "/" + run + ".changes"; }

  boost::asio::any_io_executor executor_;
  std::string folder_;
  std::function<void()> on_described_;
  std::deque<Kept> kept_;
  base::Lane disk_;
  std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace glovebox::assembly
