// For tests that run on every kind of store.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>

#include "store/database/postgres_cluster.h"
#include "store/memory_folder.h"
#include "store/store.h"

namespace glovebox::store {

enum class Backend { kSqlite, kPostgres };

inline std::string backend_name(const testing::TestParamInfo<Backend>& info) {
  return info.param == Backend::kSqlite ? "Sqlite" : "Postgres";
}

class StoreFixture : public testing::TestWithParam<Backend> {
 protected:
  ~StoreFixture() override { std::filesystem::remove_all(root_); }

  void SetUp() override {
    if (GetParam() == Backend::kSqlite) return;
    if (!PostgresCluster::shared()) GTEST_SKIP() << "PostgreSQL is not installed";
    address_ = PostgresCluster::shared()->make_database();
  }

  Result<std::unique_ptr<Store>> try_open() const {
    return address_.empty() ? Store::open(folder_, RowKey{}) : Store::connect(address_, RowKey{});
  }
  std::unique_ptr<Store> open() const {
    auto store = try_open();
    EXPECT_TRUE(store.ok()) << (store ? "" : store.failure().message);
    return store ? std::move(store).value() : nullptr;
  }

  const std::string root_ = make_memory_folder("store");
  std::string folder_ = root_ + "/.glovebox";
  std::string address_;  // of the database; empty: a file in the folder
};

}  // namespace glovebox::store
