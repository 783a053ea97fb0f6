// How long the calls of a thread wait for a database that is away. A command waits for a restart; a thread that serves
// others does not; the store's own thread retries until it is stopped.
#pragma once

#include <atomic>
#include <utility>

namespace glovebox::store {

struct Patience {
  enum class Kind {
    kWaits,    // for a server that restarts
    kHurried,  // fails at once
    kPosted,   // fails at once unless its write may have been committed: then it waits until that is known
  };
  Kind kind = Kind::kWaits;
  const std::atomic<bool>* stopping = nullptr;  // for kPosted: set when no caller waits for it any more
  bool takes_long = false;                      // a statement may take minutes; a lost server is still noticed

  // The calling thread's.
  static Patience& here() {
    thread_local Patience patience;
    return patience;
  }
};

// While in scope, the calls of its thread do not wait.
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

// While in scope, its thread reaches the store through the queue only (Store::post, post_write, ask_store): a direct
// call ends the process. For the loops of tests, so that none is added unseen; a program that serves does not end for
// it.
class QueueOnly {
 public:
  QueueOnly() : before_(std::exchange(here(), true)) {}
  ~QueueOnly() { here() = before_; }
  QueueOnly(const QueueOnly&) = delete;
  QueueOnly& operator=(const QueueOnly&) = delete;

  static bool& here() {
    thread_local bool queue_only = false;
    return queue_only;
  }

 private:
  bool before_;
};

// While in scope, a loop calls the store directly all the same: docs/decisions/01-store-thread.md lists where, and why.
class DirectCalls {
 public:
  DirectCalls() : before_(std::exchange(QueueOnly::here(), false)) {}
  ~DirectCalls() { QueueOnly::here() = before_; }
  DirectCalls(const DirectCalls&) = delete;
  DirectCalls& operator=(const DirectCalls&) = delete;

 private:
  bool before_;
};

// While in scope, statements of its thread have no time limit, if `takes_long` is true.
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

// Returns what `call` returns. It fails at once where the database is away; a write that may have been committed is
// waited for.
template <typename Call>
auto without_waiting(Call call) {
  const NoPatience hurried;
  return call();
}

}  // namespace glovebox::store
