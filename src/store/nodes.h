// A node: a gateway that drives runs and workflows of a store.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace glovebox::store {

struct NodeRecord {
  std::string id;    // never reused: a gateway that was declared dead comes back under another id
  std::string host;  // for people
  std::int64_t pid = 0;
  std::string version;
  std::chrono::milliseconds lease{0};  // not renewed for this long, it is dead; zero: it never expires

  // By the database's clock, in milliseconds since 1970.
  std::int64_t joined = 0;
  std::int64_t seen = 0;
  bool expired = false;
};

// What a gateway reports about itself, for people who inspect it from another process.
struct NodeStatus {
  std::string node;
  std::int64_t at = 0;  // milliseconds since 1970
  std::string status;   // JSON
};

// What it measured at one point in time.
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
