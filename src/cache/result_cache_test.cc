#include "cache/result_cache.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <list>
#include <random>

#include "store/database/patience.h"
#include "store/memory_folder.h"
#include "store/store.h"

namespace glovebox::cache {
namespace {

class Results : public testing::Test {
 protected:
  Results() {
    const store::DirectCalls start;
    store = std::move(store::Store::open(root_, store::RowKey{})).value();
  }
  ~Results() override {
    const store::DirectCalls end;
    store.reset();
    std::filesystem::remove_all(root_);
  }
  ResultCache cache(CacheLimits limits = {}) {
    limits.patience = std::chrono::minutes(10);
    return {*store, limits, [this] { return now; }};
  }
  static ResultCache::Work work(const std::string& key, const std::string& value = "1") {
    return {key, "call", "me", "demo:echo", value, "{}"};
  }

  std::optional<store::CacheEntry> find(ResultCache& cached, const std::string& key) {
    std::optional<std::optional<store::CacheEntry>> found;
    cached.find(io_.get_executor(), key, [&](auto entry) { found = std::move(entry); });
    while (!found) {
      io_.restart();
      io_.run_one_for(std::chrono::milliseconds(10));
    }
    return *found;
  }

  std::int64_t now = 1'000'000;
  boost::asio::io_context io_;
  std::unique_ptr<store::Store> store;
  const store::QueueOnly as_on_a_loop_;

 private:
  const std::string root_ = store::make_memory_folder("cache");
};

TEST_F(Results, ServeUntilTheyExpire) {
  auto cached = cache();
  EXPECT_FALSE(find(cached, "a"));
  EXPECT_TRUE(cached.keep(work("a", "[1]")));
  now += 299'999;
  ASSERT_TRUE(find(cached, "a"));
  EXPECT_EQ(find(cached, "a")->value, "[1]");
  // Another process of the workspace has it as well.
  auto other = cache();
  EXPECT_TRUE(find(other, "a"));
  now += 1;
  EXPECT_FALSE(find(cached, "a"));
  EXPECT_TRUE(cached.keep(work("a", "[2]")));
  EXPECT_EQ(find(cached, "a")->value, "[2]");
  cached.drop("a");
  EXPECT_FALSE(find(cached, "a"));
}

TEST_F(Results, AreLeftOutWhereTheyAreTooLargeOrNoneIsWanted) {
  auto small = cache({.entry_bytes = 10});
  EXPECT_FALSE(small.keep(work("a", std::string(11, '1'))));
  EXPECT_TRUE(small.keep(work("a", std::string(10, '1'))));
  small.set_limits({.entries = 0});
  EXPECT_FALSE(small.is_on());
  EXPECT_FALSE(find(small, "a")) << "turned off, it serves nothing either";
  EXPECT_FALSE(small.keep(work("b")));
}

TEST_F(Results, AreCounted) {
  auto cached = cache();
  cached.miss();
  ASSERT_TRUE(cached.keep(work("a")));
  cached.hit("a");
  cached.hit("a");
  const store::DirectCalls test;
  const auto counts = store->cache_counts().value();
  EXPECT_EQ(counts.hits, 2);
  EXPECT_EQ(counts.misses, 1);
  EXPECT_EQ(counts.kept, 1);
  ASSERT_EQ(store->list_cached(now)->size(), 1u);
  EXPECT_EQ(store->list_cached(now)->front().hits, 2);
  EXPECT_EQ(store->purge_cache().value(), 1u);
  EXPECT_TRUE(store->list_cached(now)->empty());
}

// Against a list that models an LRU.
TEST_F(Results, GoInTheOrderOfTheirLastUse) {
  constexpr std::size_t kEntries = 5;
  constexpr std::size_t kBytes = 400;
  auto cached = cache({.entries = kEntries, .all_bytes = kBytes});
  struct Kept {
    std::string key;
    std::size_t bytes;
  };
  std::list<Kept> model;  // the last used first
  std::mt19937 random(11);
  for (int step = 0; step < 400; ++step) {
    ++now;
    const std::string key(1, static_cast<char>('a' + random() % 9));
    const auto found = std::find_if(model.begin(), model.end(), [&](const Kept& kept) { return kept.key == key; });
    if (random() % 2) {
      ASSERT_EQ(find(cached, key).has_value(), found != model.end()) << "step " << step;
      if (found == model.end()) continue;
      cached.hit(key);
      model.splice(model.begin(), model, found);
      continue;
    }
    if (found != model.end()) model.erase(found);
    const std::string value(1 + random() % 200, '1');
    ASSERT_TRUE(cached.keep(work(key, value)));
    model.push_front({key, value.size() + 2});
    std::size_t bytes = 0;
    std::size_t place = 0;
    for (auto kept = model.begin(); kept != model.end();) {
      bytes += kept->bytes;
      const bool beyond = ++place > kEntries || bytes > kBytes;
      kept = beyond && kept != model.begin() ? model.erase(kept) : std::next(kept);
    }
    std::vector<std::string> expected, there;
    for (const Kept& kept : model) expected.push_back(kept.key);
    const store::DirectCalls test;
    const auto listed = store->list_cached(now);
    for (const auto& entry : listed.value()) there.push_back(entry.key);
    ASSERT_EQ(there, expected) << "step " << step;
  }
}

}  // namespace
}  // namespace glovebox::cache
