// Whether the calls of a thread wait for a database that is away. Most do, since what they write must not be lost; what
// looks into the store from time to time does not: it looks again, and its thread goes on meanwhile.
#pragma once

#include <utility>

namespace glovebox::store {

class NoPatience {
 public:
  NoPatience() : before_(std::exchange(here(), true)) {}
  ~NoPatience() { here() = before_; }
  NoPatience(const NoPatience&) = delete;
  NoPatience& operator=(const NoPatience&) = delete;

  // On this thread.
  static bool& here() {
    thread_local bool hurried = false;
    return hurried;
  }

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
