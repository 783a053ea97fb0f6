#include "store/database/dialect.h"

#include <gtest/gtest.h>

namespace glovebox::store {
namespace {

TEST(Dialect, ValuesAreNumberedForPostgres) {
  EXPECT_EQ(postgres_words("SELECT a FROM t WHERE b = ? AND c = ?"), "SELECT a FROM t WHERE b = $1 AND c = $2");
  EXPECT_EQ(postgres_words("SELECT ?1, ?2, ?1"), "SELECT $1, $2, $1");
}

TEST(Dialect, WordsInBracesAreTheDatabases) {
  EXPECT_EQ(sqlite_words("SELECT 1 {skip locked}"), "SELECT 1 ");
  EXPECT_EQ(postgres_words("SELECT 1 {skip locked}"), "SELECT 1 FOR UPDATE SKIP LOCKED");
  EXPECT_EQ(postgres_words("SELECT 1 {share}"), "SELECT 1 FOR KEY SHARE");
  EXPECT_EQ(sqlite_words("{now}").find('{'), std::string::npos);
  EXPECT_EQ(postgres_words("{now}").find('{'), std::string::npos);
}

TEST(Dialect, SchemasHavePostgresTypes) {
  EXPECT_EQ(postgres_schema(
                "CREATE TABLE t (id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b INTEGER, c BLOB) WITHOUT ROWID;"),
            "CREATE TABLE t (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, a BYTEA, b BIGINT, c BYTEA);");
}

}  // namespace
}  // namespace glovebox::store
