// How long the calls of a thread wait for a database that is away. A command waits for a restart; a thread that serves
// others does not; the store's own thread tries until it is stopped.
#pragma once

#include <atomic>
#include <utility>

namespace glovebox::store {

struct Patience {
  enum class Kind {
    kWaits,    // for a server that restarts
    kHurried,  // fails at once
    kPosted,   // fails at once unless its write may have been committed: then it waits until it is known
  };
  Kind kind = Kind::kWaits;
  const std::atomic<bool>* stopping = nullptr;  // of kPosted: nobody waits for it any more
  bool takes_long = false;                      // a statement may take minutes; a server that is gone is still noticed

  // Of this thread.
  static Patience& here() {
    thread_local Patience patience;
    return patience;
  }
};

// While it lives, the calls of its thread do not wait.
class NoPatience {
 public:
  NoPatience() : before_(std::exchange(Patience::here(), Patience{Patience::Kind::kHurried})) {}
  ~NoPatience() { Patience::here() = before_; }
  NoPatience(const NoPatience&) = delete;
  NoPatience& operator=(const NoPatience&) = delete;

  static bool here() { return Patience::here().kind == Patience::Kind::kHurried; }

 private:
  Patience before_;
};

// While it lives, statements of its thread have the time that they need, if `takes_long` says so.
class LongStatements {
 public:
  explicit LongStatements(bool takes_long) : before_(Patience::here().takes_long) {
    Patience::here().takes_long = before_ || takes_long;
  }
  ~LongStatements() { Patience::here().takes_long = before_; }
  LongStatements(const LongStatements&) = delete;
  LongStatements& operator=(const LongStatements&) = delete;

 private:
  bool before_;
};

// What `call` gives. It fails at once where the database is away; a write that may have been committed is waited for.
template <typename Call>
auto without_waiting(Call call) {
  const NoPatience hurried;
  return call();
}

}  // namespace glovebox::store
