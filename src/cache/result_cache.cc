#include "cache/result_cache.h"

#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <utility>

#include "store/thread/ask_store.h"

namespace glovebox::cache {

ResultCache::ResultCache(store::Store& store, CacheLimits limits, std::function<std::int64_t()> now)
    : store_(store), limits_(limits), now_(std::move(now)) {}

void ResultCache::find(const boost::asio::any_io_executor& executor, const std::string& key, Found then, bool again) {
  if (!is_on()) return boost::asio::post(executor, [then = std::move(then)] { then(std::nullopt); });
  const auto patience = std::make_shared<boost::asio::steady_timer>(executor, limits_.patience);
  const auto waiting = std::make_shared<Found>(std::move(then));
  patience->async_wait([waiting](const boost::system::error_code& error) {
    if (const auto once = error ? nullptr : std::exchange(*waiting, nullptr)) once(std::nullopt);
  });
  store::ask_store(
      store_, executor, [key](store::Store& store) { return store.find_cached(key); },
      [this, alive = std::weak_ptr(alive_), executor, key, kept = kept_, patience, waiting,
       again](Result<std::optional<store::CacheEntry>> found) {
        patience->cancel();
        auto once = std::exchange(*waiting, nullptr);
        if (!once || alive.expired()) return;
        if (found && *found && (*found)->expires > now_()) return once(std::move(*found));
        // It may have been kept while it was searched for.
        kept == kept_ || !again ? once(std::nullopt) : find(executor, key, std::move(once), false);
      });
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
  ++kept_;
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
