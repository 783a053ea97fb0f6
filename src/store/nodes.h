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

// What a gateway says of itself, for people who look at it from another process.
struct NodeStatus {
  std::string node;
  std::int64_t at = 0;  // milliseconds since 1970
  std::string status;   // JSON
};

// What it measured at one time.
struct NodeSample {
  std::string node;
  std::int64_t at = 0;
  std::string figures;  // JSON
};

// What a person asks of a gateway: to try a server again, to run code under the rules. The row is sealed, so that only
// those who hold the owner's key ask.
struct NodeRequest {
  std::string node;
  std::string kind;
  std::string about;
  std::string who;
  std::int64_t at = 0;
};

}  // namespace glovebox::store
