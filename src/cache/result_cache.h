// Cached results of whole runs and of tool calls, in the store, so that every process of a workspace and every machine
// on one database shares them. If the store fails, the cache behaves as empty.
//
// Everything is called on the gateway's thread.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "cache/flights.h"
#include "store/store.h"

namespace glovebox::cache {

struct CacheLimits {
  std::size_t entries = 100;                       // beyond it the least recently used goes
  std::chrono::seconds lifetime{300};              // of an entry
  std::size_t entry_bytes = std::size_t{1} << 20;  // larger results are not kept
  std::size_t all_bytes = std::size_t{64} << 20;   // all entries together
  // Of a search, for a store that begins to hang. The work can be done instead.
  std::chrono::milliseconds patience{1000};
  bool operator==(const CacheLimits&) const = default;
};

class ResultCache {
 public:
  ResultCache(store::Store& store, CacheLimits limits, std::function<std::int64_t()> now);

  // Searches on the store's thread, and calls `then` on the executor's, never before this returns. A caller that uses
  // the entry calls hit(); one that finds it outdated calls drop().
  using Found = std::function<void(std::optional<store::CacheEntry>)>;
  void find(const boost::asio::any_io_executor& executor, const std::string& key, Found then) {
    find(executor, key, std::move(then), true);
  }
  void hit(const std::string& key);
  void miss();
  void drop(const std::string& key);

  struct Work {
    std::string key;
    std::string kind;       // run, call
    std::string principal;  // who may have it
    std::string about;      // for people: the tool, or the first line of the code
    std::string value;      // JSON
    std::string parts;      // JSON: what it depends on beyond the key
    // When something that it was made from expires; it is not used after that.
    std::optional<std::int64_t> expires{};
  };
  // False: it is not kept. Otherwise a search from now on finds it, unless the store fails.
  bool keep(Work work);

  Flights& flights() { return flights_; }
  // With no entries nothing is found and nothing kept.
  bool is_on() const { return limits_.entries > 0; }
  void set_limits(CacheLimits limits) { limits_ = limits; }

 private:
  void find(const boost::asio::any_io_executor& executor, const std::string& key, Found then, bool again);
  bool post(std::function<Result<void>(store::Store&)> write);

  store::Store& store_;
  CacheLimits limits_;
  std::function<std::int64_t()> now_;
  Flights flights_;
  std::uint64_t kept_ = 0;   // entries
  std::int64_t misses_ = 0;  // not yet written to the store: a miss alone is no reason to write
  std::shared_ptr<const bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace glovebox::cache
