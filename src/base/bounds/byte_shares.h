// ByteShares: counts the bytes that are held at once, by holder and in all. Each holder has its own bound; this bounds
// them together. For one thread.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>

namespace glovebox::base {

class ByteShares : public std::enable_shared_from_this<ByteShares> {
 public:
  struct Limits {
    std::size_t holder = std::size_t{128} << 20;
    std::size_t all = std::size_t{512} << 20;
  };
  explicit ByteShares(const Limits& limits) : limits_(limits) {}

  bool has_room(const std::string& holder, std::size_t bytes) const {
    const auto share = shares_.find(holder);
    const std::size_t before = share == shares_.end() ? 0 : share->second;
    return before + bytes <= limits_.holder && all_ + bytes <= limits_.all;
  }

  // Counted until the last copy is gone. Null: there is no room.
  using Held = std::shared_ptr<const void>;
  Held hold(const std::string& holder, std::size_t bytes) {
    return has_room(holder, bytes) ? hold_anyway(holder, bytes) : nullptr;
  }
  // Beyond the limits, too: what is there already leaves no room for more.
  Held hold_anyway(const std::string& holder, std::size_t bytes) {
    all_ += bytes;
    shares_[holder] += bytes;
    return {static_cast<const void*>(this),
            [self = shared_from_this(), holder, bytes](const void*) { self->release(holder, bytes); }};
  }

 private:
  void release(const std::string& holder, std::size_t bytes) {
    all_ -= bytes;
    const auto share = shares_.find(holder);
    if (share != shares_.end() && (share->second -= bytes) == 0) shares_.erase(share);
  }

  Limits limits_;
  std::size_t all_ = 0;
  std::map<std::string, std::size_t> shares_;  // by holder
};

}  // namespace glovebox::base
