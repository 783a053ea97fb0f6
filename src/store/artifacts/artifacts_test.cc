// What runs have emitted, on both kinds of store.
#include <gtest/gtest.h>

#include "base/digest.h"
#include "store/large_values.h"
#include "store/store_fixture.h"

namespace glovebox::store {
namespace {

class Artifacts : public StoreFixture {
 protected:
  static Artifact artifact(const std::string& name, const std::string& bytes) {
    return {name, "text/plain", base::sha256_hex(bytes), std::make_shared<const std::string>(bytes)};
  }
  static void end(Store& store, const std::string& id, std::vector<Artifact> artifacts) {
    RunRecord run;
    run.id = id;
    run.created = 1;
    run.context = run.config = "{}";
    ASSERT_TRUE(store.add_run(run).ok());
    RunRemains remains;
    remains.artifacts = std::move(artifacts);
    ASSERT_TRUE(store.end_run(id, RunStatus::kFinished, "{}", 2, remains).ok());
  }
};

TEST_P(Artifacts, AreKeptWithTheirRunInOrder) {
  const auto store = open();
  const std::string bytes("\0\xff\r\n", 4);
  end(*store, "run_1", {artifact("b", bytes), artifact("a", "")});
  const auto listed = store->artifacts("run_1").value();
  ASSERT_EQ(listed.size(), 2u);
  EXPECT_EQ(listed[0].name, "b");
  EXPECT_EQ(listed[0].size, 4);
  EXPECT_EQ(listed[0].digest, base::sha256_hex(bytes));
  EXPECT_EQ(listed[1].name, "a");
  EXPECT_EQ(store->find_artifact("run_1", "b").value()->bytes(), bytes);
  EXPECT_EQ(store->find_artifact("run_1", "a").value()->bytes(), "");
  EXPECT_FALSE(store->find_artifact("run_1", "c").value());
  EXPECT_FALSE(store->find_artifact("run_2", "b").value());
}

TEST_P(Artifacts, GoWithTheirRunAndCountAsItsBytes) {
  const auto store = open();
  end(*store, "run_1", {artifact("large", std::string(1000, 'x'))});
  // Pruned by its size: the record alone would be kept.
  EXPECT_EQ(store->prune(10, 0, 900).value().removed, 1u);
  EXPECT_TRUE(store->artifacts("run_1").value().empty());
  EXPECT_FALSE(store->find_artifact("run_1", "large").value());
}

TEST_P(Artifacts, OneThatWasChangedIsNotGivenOut) {
  const auto store = open();
  Artifact changed = artifact("a", "as it was");
  changed.content = std::make_shared<const std::string>("as it is");
  end(*store, "run_1", {changed});
  EXPECT_FALSE(store->find_artifact("run_1", "a").ok());
}

INSTANTIATE_TEST_SUITE_P(On, Artifacts, testing::Values(Backend::kSqlite, Backend::kPostgres), backend_name);

}  // namespace
}  // namespace glovebox::store
