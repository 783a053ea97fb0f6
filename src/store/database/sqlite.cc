#include "store/database/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <map>
#include <optional>

#include "base/system_error.h"
#include "base/try.h"
#include "base/unique_fd.h"
#include "store/database/dialect.h"
#include "store/database/failpoint.h"
#include "store/database/patience.h"

namespace glovebox::store {
namespace {

// Writers wait for their turn before they ask SQLite. Other locks, such as on a file that another process is about to
// open for the first time, are held for milliseconds.
constexpr int kBusyMilliseconds = 10'000;
// For a thread that serves others: one second.
constexpr int kHurriedTries = 100;
// The size to which SQLite truncates its log after a checkpoint.
constexpr const char* kSettings =
    "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA foreign_keys=ON; PRAGMA trusted_schema=OFF;"
    "PRAGMA journal_size_limit=16777216;";

constexpr std::int64_t kIncremental = 2;         // PRAGMA auto_vacuum
constexpr std::int64_t kSpareFreePages = 2'000;  // 8 MB
// SQLite searches its list of free pages for each page that it gives back; a page of the list holds a thousand entries.
// With a long list few pages are given back within some milliseconds; with a very long one, VACUUM is the way.
constexpr std::int64_t kListedByOne = 1'000;
constexpr std::int64_t kReadsAtOnce = 50'000;
constexpr std::int64_t kMostFreePages = 250'000;  // 1 GB

Failure failure_of(sqlite3* connection, int code) {
  const std::string says = connection ? sqlite3_errmsg(connection) : sqlite3_errstr(code);
  switch (code & 0xff) {
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return {ErrorCode::kProtocol, "the store is damaged (" + says +
                                        "); move glovebox.db away to start afresh, or restore it from a backup"};
    case SQLITE_FULL: return {ErrorCode::kSystem, "the store cannot grow: " + says};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {ErrorCode::kSystem, "the store is locked by another process: " + says};
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN: return {ErrorCode::kSystem, "the store cannot be opened for writing: " + says};
    default: return {ErrorCode::kSystem, "the store: " + says};
  }
}

// SQLite would make the file readable for others; its side files get the mode of this one. Returns whether it is empty.
Result<bool> make_private(const std::string& path) {
  const base::UniqueFd file(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!file.valid()) return base::system_failure(errno, path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) return base::system_failure(errno, path);
  if (!S_ISREG(status.st_mode)) return Failure{ErrorCode::kInvalidArgument, path + " is not a regular file"};
  if ((status.st_mode & 077) != 0 && ::fchmod(file.get(), 0600) != 0) return base::system_failure(errno, path);
  return status.st_size == 0;
}

class SqliteQuery final : public DatabaseQuery {
 public:
  SqliteQuery(sqlite3* connection, sqlite3_stmt* statement) : connection_(connection), statement_(statement) {}

  void bind_text(std::string_view text) override {
    const char* data = text.data() ? text.data() : "";
    bound(sqlite3_bind_text64(statement_.get(), next_++, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
  }
  void bind_blob(std::string_view bytes) override {
    const char* data = bytes.data() ? bytes.data() : "";
    bound(sqlite3_bind_blob64(statement_.get(), next_++, data, bytes.size(), SQLITE_STATIC));
  }
  void bind_number(std::optional<std::int64_t> number) override {
    bound(number ? sqlite3_bind_int64(statement_.get(), next_++, *number)
                 : sqlite3_bind_null(statement_.get(), next_++));
  }

  Result<bool> step() override {
    if (bind_error_ != SQLITE_OK) return failure_of(nullptr, bind_error_);
    const int code = sqlite3_step(statement_.get());
    if (code == SQLITE_ROW) return true;
    if (code == SQLITE_DONE) return false;
    return failure_of(connection_, code);
  }
  Result<void> run() override {
    GLOVEBOX_TRY(step());
    return {};
  }
  Result<void> require(Failure otherwise) override {
    if (!GLOVEBOX_TRY(step())) return otherwise;
    return {};
  }
  Result<std::int64_t> changed() override {
    GLOVEBOX_TRY(step());
    return sqlite3_changes64(connection_);
  }

  std::string text(int column) const override {
    const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));
    return data ? std::string(data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))) : "";
  }
  std::int64_t number(int column) const override { return sqlite3_column_int64(statement_.get(), column); }
  bool is_null(int column) const override { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

 private:
  struct Reset {
    void operator()(sqlite3_stmt* statement) const {
      sqlite3_reset(statement);
      sqlite3_clear_bindings(statement);
    }
  };
  void bound(int code) {
    if (code != SQLITE_OK) bind_error_ = code;
  }

  sqlite3* connection_;
  std::unique_ptr<sqlite3_stmt, Reset> statement_;
  int next_ = 1;
  int bind_error_ = SQLITE_OK;
};

}  // namespace

struct SqliteDatabase::State {
  std::string path;
  std::optional<WriterTurns> turns;
  sqlite3* connection = nullptr;
  std::map<const char*, sqlite3_stmt*> statements;
  bool survives_power = false;
  bool may_recover = false;  // why the last call failed

  ~State() {
    for (const auto& [sql, statement] : statements) sqlite3_finalize(statement);
    // The last connection to close checkpoints the log into the file, if it can have the turn.
    const auto turn = turns ? turns->take_if_free() : std::nullopt;
    if (!turn && connection) sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
    sqlite3_close(connection);
  }
};

SqliteDatabase::SqliteDatabase(std::unique_ptr<State> state) : state_(std::move(state)) {}
SqliteDatabase::~SqliteDatabase() = default;

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::open(const std::string& path) {
  const bool is_new = GLOVEBOX_TRY(make_private(path));
  auto state = std::make_unique<State>();
  state->path = path;
  const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW;
  if (const int code = sqlite3_open_v2(path.c_str(), &state->connection, flags, nullptr); code != SQLITE_OK) {
    return failure_of(state->connection, code);
  }
  sqlite3_busy_timeout(state->connection, kBusyMilliseconds);
  state->turns.emplace(GLOVEBOX_TRY(WriterTurns::open(path + "-turn")));
  std::unique_ptr<SqliteDatabase> database(new SqliteDatabase(std::move(state)));
  // Possible only before there is a table.
  if (is_new) GLOVEBOX_TRY_VOID(database->execute("PRAGMA auto_vacuum=INCREMENTAL"));
  GLOVEBOX_TRY_VOID(database->execute(kSettings));
  return database;
}

Result<std::unique_ptr<SqliteDatabase>> SqliteDatabase::in_memory() {
  auto state = std::make_unique<State>();
  if (const int code = sqlite3_open(":memory:", &state->connection); code != SQLITE_OK) {
    return failure_of(state->connection, code);
  }
  return std::unique_ptr<SqliteDatabase>(new SqliteDatabase(std::move(state)));
}

Result<void> SqliteDatabase::execute(const std::string& sql) {
  const int code = sqlite3_exec(state_->connection, sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) return failure_of(state_->connection, code);
  return {};
}

Result<Statement> SqliteDatabase::prepare(const char* sql) {
  sqlite3_stmt*& statement = state_->statements[sql];
  if (!statement) {
    const std::string words = sqlite_words(sql);
    const int code =
        sqlite3_prepare_v3(state_->connection, words.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr);
    if (code != SQLITE_OK) return failure_of(state_->connection, code);
  }
  return Statement(std::make_unique<SqliteQuery>(state_->connection, statement));
}

bool SqliteDatabase::may_recover() const {
  return state_->may_recover;
}

void SqliteDatabase::note_failure() {
  const int code = sqlite3_errcode(state_->connection) & 0xff;
  state_->may_recover = code == SQLITE_BUSY || code == SQLITE_LOCKED || code == SQLITE_FULL || code == SQLITE_IOERR;
}

Result<void> SqliteDatabase::read(const std::function<Result<void>()>& work) {
  state_->may_recover = false;
  auto done = work();
  if (!done) note_failure();
  return done;
}

Result<void> SqliteDatabase::read_one_moment(const std::function<Result<void>()>& work) {
  GLOVEBOX_TRY_VOID(execute("BEGIN"));
  auto done = read(work);
  (void)execute("ROLLBACK").ok();
  return done;
}

// A process that is stopped while it has its turn keeps all others waiting until it continues or ends; nothing is lost
// by that.
Result<WriterTurns::Turn> SqliteDatabase::take_turn() {
  auto turn = state_->turns->wait_for_turn(NoPatience::here() ? kHurriedTries : WriterTurns::kTries);
  if (!turn) state_->may_recover = true;
  return turn;
}

Result<void> SqliteDatabase::write(const Write& write, const std::function<Result<void>()>& work) {
  state_->may_recover = false;
  if (state_->survives_power != write.survives_power) {
    GLOVEBOX_TRY_VOID(execute(write.survives_power ? "PRAGMA synchronous=FULL" : "PRAGMA synchronous=NORMAL"));
    state_->survives_power = write.survives_power;
  }
  const WriterTurns::Turn turn = GLOVEBOX_TRY(take_turn());
  // Immediate: a transaction that begins by reading and is outdated when it writes would have to be retried.
  Result<void> done = execute("BEGIN IMMEDIATE");
  if (done) {
    failpoint(write.what, "begun");
    done = work();
    if (done) failpoint(write.what, "written");
    if (done) done = execute("COMMIT");
    if (!done) note_failure();
    if (!done) (void)execute("ROLLBACK").ok();
  } else {
    note_failure();
  }
  if (done) failpoint(write.what, "committed");
  return done;
}

Result<std::vector<std::string>> SqliteDatabase::find_damage() {
  std::vector<std::string> found;
  {
    auto rows = GLOVEBOX_TRY(prepare("PRAGMA integrity_check"));
    while (GLOVEBOX_TRY(rows.step())) {
      if (rows.text(0) != "ok") found.push_back(rows.text(0));
    }
  }
  auto rows = GLOVEBOX_TRY(prepare("PRAGMA foreign_key_check"));
  while (GLOVEBOX_TRY(rows.step()))
    found.push_back("a row of " + rows.text(0) + " belongs to nothing in " + rows.text(2));
  return found;
}

Result<void> SqliteDatabase::copy_to(const std::string& to) {
  struct stat status {};
  if (::lstat(to.c_str(), &status) == 0 && status.st_size > 0) {
    return Failure{ErrorCode::kConflict, to + " already exists"};
  }
  // SQLite would create the copy with the rights that the umask leaves; an existing empty file keeps its mode.
  GLOVEBOX_TRY(make_private(to));
  // Root may write to any file, and its owner would read what is copied there.
  if (::lstat(to.c_str(), &status) != 0 || status.st_uid != ::geteuid())
    return Failure{ErrorCode::kInvalidArgument, to + " belongs to another user"};
  Statement copy = GLOVEBOX_TRY(prepare("VACUUM INTO ?"));
  return copy.bind(to).run();
}

Result<void> SqliteDatabase::back_up(std::int64_t version, const Progress& progress) {
  const std::string to = state_->path + ".v" + std::to_string(version) + ".bak";
  // A copy left by an earlier attempt may be incomplete.
  if (::unlink(to.c_str()) != 0 && errno != ENOENT) return base::system_failure(errno, to);
  if (progress) progress("copying it to " + to);
  // This connection holds the write lock, so that no other process migrates meanwhile. It cannot create a copy then,
  // but another that only reads can.
  const auto reader = GLOVEBOX_TRY(open(state_->path));
  return reader->copy_to(to);
}

Result<std::int64_t> SqliteDatabase::bytes() {
  std::int64_t all = 0;
  for (const char* ending : {"", "-wal"}) {
    struct stat status {};
    if (::stat((state_->path + ending).c_str(), &status) == 0) all += status.st_size;
  }
  return all;
}

Result<void> SqliteDatabase::vacuum() {
  const WriterTurns::Turn turn = GLOVEBOX_TRY(take_turn());
  // A file of a former version gives space back incrementally from here on.
  return execute("PRAGMA auto_vacuum=INCREMENTAL; VACUUM; PRAGMA wal_checkpoint(TRUNCATE)");
}

Result<bool> SqliteDatabase::give_back_some() {
  const auto number = [&](const char* sql) -> Result<std::int64_t> {
    auto row = GLOVEBOX_TRY(prepare(sql));
    return GLOVEBOX_TRY(row.step()) ? row.number(0) : 0;
  };
  // Free pages are reused; space is given back only when there is much more of it than that.
  std::int64_t free = 0;
  const auto is_worth_it = [&]() -> Result<bool> {
    free = GLOVEBOX_TRY(number("PRAGMA freelist_count"));
    return free > kSpareFreePages && free < kMostFreePages && free > GLOVEBOX_TRY(number("PRAGMA page_count")) / 4;
  };
  if (GLOVEBOX_TRY(number("PRAGMA auto_vacuum")) != kIncremental || !GLOVEBOX_TRY(is_worth_it())) return false;
  const std::int64_t pages = kReadsAtOnce / (free / kListedByOne + 1);
  const WriterTurns::Turn turn = GLOVEBOX_TRY(take_turn());
  GLOVEBOX_TRY_VOID(execute("PRAGMA incremental_vacuum(" + std::to_string(pages) + ")"));
  const bool more = GLOVEBOX_TRY(is_worth_it());
  // The file is truncated once the log has been checkpointed into it.
  if (!more) GLOVEBOX_TRY_VOID(execute("PRAGMA wal_checkpoint(PASSIVE)"));
  return more;
}

}  // namespace glovebox::store
