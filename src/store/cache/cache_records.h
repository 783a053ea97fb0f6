// What the store keeps of cached results. Times are milliseconds since 1970.
#pragma once

#include <cstdint>
#include <string>

namespace glovebox::store {

struct CacheEntry {
  std::string key;        // SHA-256 in hex
  std::string kind;       // run, call
  std::string principal;  // who may have it
  std::string about;      // for people
  std::string value;      // JSON
  std::string parts;      // JSON: what must still be so for the value to hold
  std::int64_t bytes = 0;
  std::int64_t created = 0;
  std::int64_t expires = 0;
  std::int64_t used = 0;
  std::int64_t hits = 0;
};

struct CacheCounts {
  std::int64_t hits = 0;
  std::int64_t misses = 0;
  std::int64_t kept = 0;     // entries that were written
  std::int64_t evicted = 0;  // entries removed before they expired, to make room
};

}  // namespace glovebox::store
