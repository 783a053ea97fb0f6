// Rate and concurrency limits of tool calls, for all runs of a gateway together. The clock is passed in.
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
  std::optional<double> per_minute;       // as a token bucket that holds a minute's worth
  std::optional<std::size_t> concurrent;  // calls in progress
};

class RateLimits {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;
  explicit RateLimits(Clock clock) : clock_(std::move(clock)) {}

  // `pattern` without conditions. Every limit that matches a call applies to it. Replacing a limit keeps its counts.
  Result<void> set(const std::map<std::string, RateLimit>& limits);

  struct Refusal {
    std::string pattern;
    std::chrono::milliseconds retry_after;
  };
  // Takes one call's worth from every bucket, or from none.
  std::optional<Refusal> take(std::string_view server, std::string_view tool);

  // Whether one more call may be in progress; then call begin, and end once.
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
