// How often and how many at once: limits of tool calls, for all runs of a gateway together. The clock is passed in.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/tool_rules.h"

namespace glovebox::policy {

struct RateLimit {
  std::optional<double> per_minute;       // as a bucket that holds a minute's worth
  std::optional<std::size_t> concurrent;  // calls under way
};

class RateLimits {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  explicit RateLimits(Clock clock) : clock_(std::move(clock)) {}

  // `pattern` without conditions. Every limit that matches a call counts for it. Replacing a limit keeps what it has
  // counted.
  Result<void> set(const std::map<std::string, RateLimit>& limits);

  struct Refusal {
    std::string pattern;
    std::chrono::milliseconds retry_after;
  };
  // Takes one call's worth of every bucket, or of none.
  std::optional<Refusal> take(std::string_view server, std::string_view tool);

  // Whether one more call may be under way; then begin it, and end it once.
  bool has_room(std::string_view server, std::string_view tool) const;
  void begin(std::string_view server, std::string_view tool);
  void end(std::string_view server, std::string_view tool);

 private:
  struct Bucket {
    ToolPattern pattern;
    RateLimit limit;
    double tokens = 0;
    std::chrono::steady_clock::time_point filled;
    std::size_t under_way = 0;
  };
  void fill(Bucket& bucket, std::chrono::steady_clock::time_point now) const;

  Clock clock_;
  std::vector<Bucket> buckets_;
};

}  // namespace glovebox::policy
