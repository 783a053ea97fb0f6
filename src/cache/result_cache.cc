#include "cache/result_cache.h"

#include <utility>

#include "store/database/patience.h"

namespace glovebox::cache {

ResultCache::ResultCache(store::Store& store, CacheLimits limits, std::function<std::int64_t()> now)
    : store_(store), limits_(limits), now_(std::move(now)) {}

std::optional<store::CacheEntry> ResultCache::find(const std::string& key) {
  if (!is_on()) return std::nullopt;
  const store::DirectCalls direct;
  auto found = store_.find_cached(key);
  if (!found || !found.value() || found.value()->expires <= now_()) return std::nullopt;
  return std::move(*found.value());
}

void ResultCache::hit(const std::string& key) {
  post([key, now = now_(), misses = std::exchange(misses_, 0)](store::Store& store) {
    return store.note_cache_hit(key, now, misses);
  });
}

void ResultCache::miss() {
  ++misses_;
}

void ResultCache::drop(const std::string& key) {
  post([key](store::Store& store) { return store.drop_cached(key); });
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
  return post([entry = std::move(entry), limits = limits_, misses = std::exchange(misses_, 0)](store::Store& store) {
    return store.keep_cached(entry, static_cast<std::int64_t>(limits.entries),
                             static_cast<std::int64_t>(limits.all_bytes), misses);
  });
}

// A search that comes later finds what it has written: it takes its turn behind this. Nothing is held in memory for a
// store that is away.
bool ResultCache::post(std::function<Result<void>(store::Store&)> write) {
  if (store_.is_away_for().count() > 0) return false;
  store_.post_write(std::move(write), nullptr, false, store::Haste::kWithNext);
  return true;
}

}  // namespace glovebox::cache
