// The thread of a store, and whose turn it is with the store's one connection.
//
// What is posted is done on the thread, in the order in which it came. Writes that follow each other are given out
// together, so that they can share a commit; one that nothing waits for is held a little for such company. While the
// database is away they wait, and are tried again until it is back: the poster never waits, and is notified when they
// are done. A direct call takes its turn behind all that was posted before it, so it sees what that has written.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <variant>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::store {

// What is said while the database is away.
Failure store_is_away();

// Whether a caller waits for it, or it may go with what comes next.
enum class Haste { kNow, kWithNext };

struct PostedWrite {
  bool survives_power = true;
  Haste haste = Haste::kNow;
  std::function<Result<void>()> work;  // may be called more than once
  std::function<void(Result<void>)> done;
};

class StoreThread {
 public:
  // Does the writes, calls `done` of each and removes it. What is left cannot be done now, and is passed again later.
  using CarryOut = std::function<void(std::vector<PostedWrite>& writes)>;
  explicit StoreThread(CarryOut carry_out) : carry_out_(std::move(carry_out)) {}
  // Does what was posted, if the database is reachable; otherwise those writes fail.
  ~StoreThread();

  void post(PostedWrite write);
  void post(std::function<void()> job);
  // A caller waits for what was posted.
  void hurry();

  // The calling thread has the connection for itself. The store's own thread always has.
  class Turn {
   public:
    explicit Turn(StoreThread* of) : of_(of) {}
    Turn(Turn&& other) noexcept : of_(std::exchange(other.of_, nullptr)) {}
    Turn& operator=(Turn&&) = delete;
    ~Turn() {
      if (of_) of_->end_turn();
    }

   private:
    StoreThread* of_;
  };
  // Fails where the database is away and the thread is one that does not wait for it (patience.h).
  Result<Turn> take_turn();

  // A commit takes milliseconds. One that takes longer means a database that hangs or is as good as away.
  static constexpr std::chrono::seconds kStandstill{1};
  // For how long the database has been away, or has worked on one thing; zero where all is well, and for so long as one
  // thing may take.
  std::chrono::steady_clock::duration stands_still(std::chrono::seconds one_thing = kStandstill) const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Wait {  // of a direct call for its turn
    bool granted = false;
    bool given_up = false;
  };
  using Entry = std::variant<PostedWrite, std::function<void()>, std::shared_ptr<Wait>>;

  void add(Entry entry, Haste haste);
  void start();
  void work();
  void do_next(std::unique_lock<std::mutex>& lock);
  void do_writes(std::unique_lock<std::mutex>& lock);
  void drop_all(std::unique_lock<std::mutex>& lock);
  void end_turn();
  Clock::duration standstill(std::chrono::seconds one_thing) const;

  CarryOut carry_out_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Entry> entries_;
  Clock::time_point due_{};    // of the first entry
  bool taken_ = false;         // by a direct call
  bool works_ = false;         // the thread is working
  bool is_away_ = false;       // the last attempt has failed
  Clock::time_point since_{};  // when it began to work, or the database went away
  std::chrono::milliseconds pause_{0};
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace glovebox::store
