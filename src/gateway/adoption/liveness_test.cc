#include "gateway/adoption/liveness.h"

#include <gtest/gtest.h>

#include "store/database/patience.h"
#include "store/database/postgres_cluster.h"

namespace glovebox::gateway {
namespace {

// Who may answer a request depends on it: one that has not ended must not pass for dead.
TEST(LivenessPostgresTest, WhoLivesIsNotGuessedWhileTheDatabaseIsAway) {
  if (!store::PostgresCluster::shared()) GTEST_SKIP() << "PostgreSQL is not installed";
  store::PostgresCluster& cluster = *store::PostgresCluster::shared();
  const auto store = std::move(store::Store::connect(cluster.make_database(), store::RowKey{})).value();
  store::NodeRecord node;
  node.id = "one";
  node.lease = std::chrono::hours(1);
  ASSERT_TRUE(store->join(node).ok());
  EXPECT_EQ(find_owner_alive(*store, "", "one").value(), true);
  EXPECT_EQ(find_owner_alive(*store, "", "another").value(), false);
  cluster.crash();
  EXPECT_FALSE(store::without_waiting([&] { return find_owner_alive(*store, "", "one"); }).ok());
  cluster.run();
}

}  // namespace
}  // namespace glovebox::gateway
