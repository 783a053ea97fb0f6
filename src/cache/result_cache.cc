#include "cache/result_cache.h"

#include <utility>

namespace glovebox::cache {

ResultCache::ResultCache(store::Store& store, CacheLimits limits, std::function<std::int64_t()> now)
    : store_(store), limits_(limits), now_(std::move(now)) {}

std::optional<store::CacheEntry> ResultCache::find(const std::string& key) {
  if (!is_on()) return std::nullopt;
  auto found = store_.find_cached(key);
  if (!found || !found.value() || found.value()->expires <= now_()) return std::nullopt;
  return std::move(*found.value());
}

void ResultCache::hit(const std::string& key) {
  (void)store_.note_cache_hit(key, now_(), std::exchange(misses_, 0)).ok();
}

void ResultCache::miss() {
  ++misses_;
}

void ResultCache::drop(const std::string& key) {
  (void)store_.drop_cached(key).ok();
}

bool ResultCache::keep(Work work) {
  store::CacheEntry entry;
  entry.bytes = static_cast<std::int64_t>(work.value.size() + work.parts.size());
  if (work.value.size() > limits_.entry_bytes || work.value.size() > limits_.all_bytes || !is_on()) {
    return false;
  }
  entry.key = std::move(work.key);
  entry.kind = std::move(work.kind);
  entry.principal = std::move(work.principal);
  entry.about = std::move(work.about);
  entry.value = std::move(work.value);
  entry.parts = std::move(work.parts);
  entry.created = entry.used = now_();
  entry.expires = entry.created + std::chrono::milliseconds(limits_.lifetime).count();
  if (work.expires && *work.expires < entry.expires) entry.expires = *work.expires;
  if (entry.expires <= entry.created) return false;
  return store_
      .keep_cached(entry, static_cast<std::int64_t>(limits_.entries), static_cast<std::int64_t>(limits_.all_bytes),
                   std::exchange(misses_, 0))
      .ok();
}

}  // namespace glovebox::cache
