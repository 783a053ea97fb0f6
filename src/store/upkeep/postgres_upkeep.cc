// Operations of PostgresDatabase on the whole of it: snapshot, copy, size and free space.
#include "base/try.h"
#include "store/database/patience.h"
#include "store/database/postgres.h"

namespace glovebox::store {
namespace {

constexpr std::int64_t kWorthALine = std::int64_t{64} << 20;

std::string megabytes(std::int64_t bytes) {
  return std::to_string(bytes >> 20) + " MB";
}

}  // namespace

Result<void> PostgresDatabase::read_one_moment(const std::function<Result<void>()>& work) {
  const LongStatements long_ones(true);
  GLOVEBOX_TRY_VOID(insist([&]() -> Result<void> {
    return execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL statement_timeout = 0");
  }));
  auto done = work();
  if (!is_lost()) (void)execute(done ? "COMMIT" : "ROLLBACK").ok();
  return done;
}

Result<std::vector<std::string>> PostgresDatabase::tables() {
  const auto rows = GLOVEBOX_TRY(connection_->run_all(
      "SELECT format('%I', tablename) FROM pg_tables WHERE schemaname = 'glovebox' AND tablename <> 'writers' ORDER "
      "BY 1"));
  std::vector<std::string> names;
  for (int row = 0; row < rows.count(); ++row) names.push_back(rows.text(row, 0));
  return names;
}

// All tables as of one moment: nothing written meanwhile is in any of them, since a table that is copied is locked
// against writers until the migration's first transaction is committed.
Result<void> PostgresDatabase::back_up(std::int64_t version, const Progress& progress) {
  const std::string to = "glovebox_backup_v" + std::to_string(version);
  GLOVEBOX_TRY_VOID(execute("DROP SCHEMA IF EXISTS " + to + " CASCADE; CREATE SCHEMA " + to));
  const std::vector<std::string> names = GLOVEBOX_TRY(tables());
  for (const std::string& name : names) GLOVEBOX_TRY_VOID(execute("LOCK TABLE glovebox." + name + " IN SHARE MODE"));
  const std::int64_t all = GLOVEBOX_TRY(bytes());
  std::int64_t copied = 0;
  for (const std::string& name : names) {
    if (progress && all >= kWorthALine)
      progress("copied " + megabytes(copied) + " of " + megabytes(all) + " to " + to + "; next: " + name);
    GLOVEBOX_TRY_VOID(execute("CREATE TABLE " + to + "." + name + " AS TABLE glovebox." + name));
    const auto size = GLOVEBOX_TRY(connection_->run_all("SELECT pg_total_relation_size('glovebox." + name + "')"));
    copied += std::atoll(size.text(0, 0).c_str());
  }
  return {};
}

Result<void> PostgresDatabase::copy_to(const std::string&) {
  return Failure{ErrorCode::kInvalidArgument, "a PostgreSQL store does not copy itself to a file"};
}

Result<std::int64_t> PostgresDatabase::bytes() {
  const auto row = GLOVEBOX_TRY(connection_->run_all(
      "SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class WHERE relkind = 'r' AND relnamespace "
      "= (SELECT oid FROM pg_namespace WHERE nspname = 'glovebox')"));
  return std::atoll(row.text(0, 0).c_str());
}

// VACUUM cannot run within a transaction, so one statement at a time. It blocks no one.
Result<void> PostgresDatabase::vacuum() {
  const LongStatements long_ones(true);
  GLOVEBOX_TRY_VOID(insist([&]() -> Result<void> { return execute("SET statement_timeout = 0"); }));
  Result<void> done;
  for (const std::string& name : GLOVEBOX_TRY(tables())) {
    if (done) done = execute("VACUUM (ANALYZE) glovebox." + name);
  }
  // The next call makes a new connection, with the usual limits.
  connection_.reset();
  return done;
}

}  // namespace glovebox::store
