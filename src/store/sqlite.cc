#include "store/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <map>

#include "base/system_error.h"
#include "base/try.h"
#include "base/unique_fd.h"

namespace glovebox::store {
namespace {

// Other processes of the workspace write for milliseconds; one that takes longer is stuck.
constexpr int kBusyMilliseconds = 5'000;

Failure failure_of(sqlite3* connection, int code) {
  const std::string says = connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {ErrorCode::kProtocol,
              "the store is damaged (" + says + "); move glovebox.db away to begin anew, or restore it from a backup"};
    case SQLITE_FULL: return {ErrorCode::kSystem, "the store cannot grow: " + says};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {ErrorCode::kSystem, "the store is held by another process: " + says};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN: return {ErrorCode::kSystem, "the store cannot be opened for writing: " + says};
    default: return {ErrorCode::kSystem, "the store: " + says};
  }
}

// SQLite would make it readable for others; its side files get the mode of this one.
Result<void> make_private(const std::string& path) {
  const base::UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return base::system_failure(errno, path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return base::system_failure(errno, path);
  if (!S_ISREG(status.st_mode)) return Failure{ErrorCode::kInvalidArgument, path + " is not a regular file"};
  if ((status.st_mode & 077) != 0 && ::fchmod(file.get(), 0600) != 0) return base::system_failure(errno, path);
  return {};
}

}  // namespace

struct Database::State {
  sqlite3* connection = nullptr;
  std::map<const char*, sqlite3_stmt*> statements;
  bool survives_power = false;

  ~State() {
    for (const auto& [sql, statement] : statements) sqlite3_finalize(statement);
    sqlite3_close(connection);
  }
};

Database::Database(std::unique_ptr<State> state) : state_(std::move(state)) {}
Database::Database(Database&&) noexcept = default;
Database& Database::operator=(Database&&) noexcept = default;
Database::~Database() = default;

Result<Database> Database::open(const std::string& path) {
  GLOVEBOX_TRY_VOID(make_private(path));
  auto state = std::make_unique<State>();
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW;
  if (const int code = sqlite3_open_v2(path.c_str(), &state->connection, flags, nullptr); code != SQLITE_OK) {
    return failure_of(state->connection, code);
  }
  sqlite3_busy_timeout(state->connection, kBusyMilliseconds);
  Database database(std::move(state));
  GLOVEBOX_TRY_VOID(
      database.execute("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON;"
                       "PRAGMA trusted_schema=OFF;"));
  return database;
}

Result<void> Database::execute(const char* sql) {
  const int code = sqlite3_exec(state_->connection, sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure_of(state_->connection, code);
  return {};
}

Result<Statement> Database::prepare(const char* sql) {
  sqlite3_stmt*& statement = state_->statements[sql];
  if (!statement) {
    const int code = sqlite3_prepare_v3(state_->connection, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return failure_of(state_->connection, code);
  }
  return Statement(state_->connection, statement);
}

int Database::changes() const {
  return sqlite3_changes(state_->connection);
}

Result<void> Database::survive(bool power) {
  if (state_->survives_power == power) return {};
  GLOVEBOX_TRY_VOID(execute(power ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL"));
  state_->survives_power = power;
  return {};
}

void Statement::Reset::operator()(sqlite3_stmt* statement) const {
  sqlite3_reset(statement);
  sqlite3_clear_bindings(statement);
}

Statement::Statement(sqlite3* connection, sqlite3_stmt* statement) : connection_(connection), statement_(statement) {}
Statement::~Statement() = default;

Statement& Statement::bind(std::string_view text) {
  const char* data = text.data() ? text.data() : "";
  const int code = sqlite3_bind_text64(statement_.get(), next_++, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) bind_error_ = code;
  return *this;
}

Statement& Statement::bind(std::int64_t number) {
  if (const int code = sqlite3_bind_int64(statement_.get(), next_++, number); code != SQLITE_OK) bind_error_ = code;
  return *this;
}

Statement& Statement::bind_blob(std::string_view bytes) {
  const char* data = bytes.data() ? bytes.data() : "";
  const int code = sqlite3_bind_blob64(statement_.get(), next_++, data, bytes.size(), SQLITE_STATIC);
  if (code != SQLITE_OK) bind_error_ = code;
  return *this;
}

Statement& Statement::bind_null() {
  if (const int code = sqlite3_bind_null(statement_.get(), next_++); code != SQLITE_OK) bind_error_ = code;
  return *this;
}

Result<bool> Statement::step() {
  if (bind_error_ != 0) return failure_of(nullptr, bind_error_);
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return failure_of(connection_, code);
}

Result<void> Statement::run() {
  auto stepped = step();
  if (!stepped) return std::move(stepped).failure();
  return {};
}

std::string Statement::text(int column) const {
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
  return data ? std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))) : "";
}

std::int64_t Statement::number(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

bool Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

Result<Transaction> Transaction::begin(Database& database) {
  // Immediate: one that begins by reading and finds itself outdated when it writes would have to be done again.
  GLOVEBOX_TRY_VOID(database.execute("BEGIN IMMEDIATE"));
  return Transaction(database);
}

Transaction::~Transaction() {
  if (database_) (void)database_->execute("ROLLBACK").ok();
}

Result<void> Transaction::commit() {
  GLOVEBOX_TRY_VOID(database_->execute("COMMIT"));
  database_ = nullptr;
  return {};
}

}  // namespace glovebox::store
