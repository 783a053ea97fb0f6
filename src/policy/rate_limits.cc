#include "policy/rate_limits.h"

#include <algorithm>
#include <cmath>

namespace glovebox::policy {

Result<void> RateLimits::set(const std::map<std::string, RateLimit>& limits) {
  std::vector<Bucket> buckets;
  for (const auto& [text, limit] : limits) {
    if (text.find('(') != std::string::npos) {
      return Failure{ErrorCode::kInvalidArgument, "\"" + text + "\" has conditions, which limits cannot have"};
    }
    auto pattern = ToolPattern::parse(text, "/");
    if (!pattern) return std::move(pattern).failure();
    Bucket bucket{std::move(pattern).value(), limit, limit.per_minute.value_or(0), clock_(), 0};
    for (const Bucket& known : buckets_) {
      if (known.pattern.text() != text) continue;
      bucket.under_way = known.under_way;
      if (known.limit.per_minute) bucket.tokens = std::min(known.tokens, bucket.tokens);
      bucket.filled = known.filled;
    }
    buckets.push_back(std::move(bucket));
  }
  buckets_ = std::move(buckets);
  return {};
}

void RateLimits::fill(Bucket& bucket, std::chrono::steady_clock::time_point now) const {
  const double minutes = std::chrono::duration<double, std::ratio<60>>(now - bucket.filled).count();
  if (minutes <= 0) return;  // the clock has not advanced
  bucket.tokens = std::min(*bucket.limit.per_minute, bucket.tokens + minutes * *bucket.limit.per_minute);
  bucket.filled = now;
}

std::optional<RateLimits::Refusal> RateLimits::take(std::string_view server, std::string_view tool) {
  const auto now = clock_();
  std::optional<Refusal> refusal;
  std::vector<Bucket*> taken;
  for (Bucket& bucket : buckets_) {
    if (!bucket.limit.per_minute || !bucket.pattern.matches_name(server, tool)) continue;
    fill(bucket, now);
    // The sum of many small refills may fall short of one by a rounding error.
    if (bucket.tokens >= 1 - 1e-9) {
      taken.push_back(&bucket);
      continue;
    }
    const double seconds = (1 - bucket.tokens) / *bucket.limit.per_minute * 60;
    const std::chrono::milliseconds wait(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
    if (!refusal || wait > refusal->retry_after) refusal = Refusal{bucket.pattern.text(), wait};
  }
  if (refusal) return refusal;
  for (Bucket* bucket : taken) bucket->tokens = std::max(0.0, bucket->tokens - 1);
  return std::nullopt;
}

bool RateLimits::has_room(std::string_view server, std::string_view tool) const {
  return std::all_of(buckets_.begin(), buckets_.end(), [&](const Bucket& bucket) {
    return !bucket.limit.concurrent || bucket.under_way < *bucket.limit.concurrent ||
           !bucket.pattern.matches_name(server, tool);
  });
}

void RateLimits::begin(std::string_view server, std::string_view tool) {
  for (Bucket& bucket : buckets_) bucket.under_way += bucket.pattern.matches_name(server, tool) ? 1 : 0;
}

void RateLimits::end(std::string_view server, std::string_view tool) {
  // A limit that was added during the call has not counted it.
  for (Bucket& bucket : buckets_) {
    if (bucket.under_way > 0 && bucket.pattern.matches_name(server, tool)) --bucket.under_way;
  }
}

}  // namespace glovebox::policy
