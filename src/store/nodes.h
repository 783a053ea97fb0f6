// A node: a gateway that drives runs and workflows of a store.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace glovebox::store {

struct NodeRecord {
  std::string id;    // never used again: a gateway that was taken for dead comes back under another
  std::string host;  // for people
  std::int64_t pid = 0;
  std::string version;
  std::chrono::milliseconds lease{0};  // without a sign of life for so long, it is dead; zero: never by time

  // By the database's clock, in milliseconds since 1970.
  std::int64_t joined = 0;
  std::int64_t seen = 0;
  bool expired = false;
};

}  // namespace glovebox::store
