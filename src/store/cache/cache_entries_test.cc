// Cached results and recordings, on both kinds of store.
#include <gtest/gtest.h>

#include "store/store_fixture.h"

namespace glovebox::store {
namespace {

class CacheEntries : public StoreFixture {
 protected:
  static CacheEntry entry(const std::string& key, std::int64_t at, std::int64_t bytes = 10) {
    CacheEntry made;
    made.key = key;
    made.kind = "run";
    made.principal = "me";
    made.about = "code \u00e9";
    made.value = R"({"result":"\u0000"})";
    made.parts = "{}";
    made.bytes = bytes;
    made.created = made.used = at;
    made.expires = at + 100;
    return made;
  }
  static std::vector<std::string> keys(Store& store, std::int64_t now) {
    std::vector<std::string> found;
    const auto listed = store.list_cached(now);
    for (const CacheEntry& one : listed.value()) found.push_back(one.key);
    return found;
  }
  using Keys = std::vector<std::string>;
};

TEST_P(CacheEntries, AreSharedAndGoInOrder) {
  const auto one = open();
  const auto other = open();
  for (const char* key : {"a", "b", "c"}) {
    ASSERT_TRUE(one->keep_cached(entry(key, 1 + key[0]), 3, 1000, 1).ok());
  }
  ASSERT_TRUE(other->note_cache_hit("a", 200, 0).ok());
  EXPECT_EQ(keys(*other, 101), (Keys{"a", "c", "b"}));
  ASSERT_TRUE(other->keep_cached(entry("d", 190), 3, 1000, 0).ok());
  EXPECT_EQ(keys(*one, 101), (Keys{"a", "d", "c"}));
  EXPECT_EQ(one->find_cached("a").value()->value, R"({"result":"\u0000"})");
  EXPECT_EQ(one->find_cached("a").value()->hits, 1);
  EXPECT_FALSE(one->find_cached("b").value());

  // By size; expired entries are removed first.
  ASSERT_TRUE(one->keep_cached(entry("e", 300, 900), 3, 905, 0).ok());
  EXPECT_EQ(keys(*one, 300), Keys{"e"});
  const auto counts = one->cache_counts().value();
  EXPECT_EQ(counts.misses, 3);
  EXPECT_EQ(counts.hits, 1);
  EXPECT_EQ(counts.kept, 5);
  EXPECT_EQ(counts.evicted, 1) << "the others had expired";
  EXPECT_EQ(other->purge_cache().value(), 1u);
  EXPECT_TRUE(keys(*one, 300).empty());
}

TEST_P(CacheEntries, RecordingsGoWithTheirRuns) {
  const auto store = open();
  RunRecord run;
  run.id = "r";
  run.created = 1;
  run.language = "ts";
  run.context = run.config = "{}";
  ASSERT_TRUE(store->add_run(run).ok());
  JournalEntry call;
  call.call_id = 1;
  call.op = "tool";
  call.digest = "d";
  call.arguments = R"({"a":1})";
  JournalEntry reply;
  reply.kind = JournalEntry::Kind::kReply;
  reply.call_id = 1;
  reply.frames = std::string("\0x", 2);
  reply.body_digest = "b";
  ASSERT_TRUE(store->begin_journal("r", {call, reply}, {}).ok());
  const auto journal = store->journal("r").value();
  ASSERT_EQ(journal.size(), 2u);
  EXPECT_EQ(journal[0].arguments, call.arguments);
  EXPECT_EQ(journal[1].body_digest, "b");
  const RecordingRecord recording{"[1]", "[2]", "{}"};
  ASSERT_TRUE(store->end_run("r", RunStatus::kFinished, "{}", 2, {.recording = recording}).ok());
  EXPECT_EQ(store->find_recording("r").value()->calls, "[1]");
  EXPECT_EQ(store->find_recording("r").value()->servers, "[2]");
  ASSERT_TRUE(store->prune(10, 0).ok());
  EXPECT_TRUE(store->find_recording("r").value());
  ASSERT_TRUE(store->prune(0, 0).ok());
  EXPECT_FALSE(store->find_recording("r").value());
}

INSTANTIATE_TEST_SUITE_P(On, CacheEntries, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

}  // namespace
}  // namespace glovebox::store
