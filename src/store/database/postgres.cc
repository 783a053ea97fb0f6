#include "store/database/postgres.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <thread>

#include "base/random.h"
#include "base/try.h"
#include "base/unique_fd.h"
#include "store/database/dialect.h"
#include "store/database/failpoint.h"
#include "store/database/patience.h"

namespace glovebox::store {
namespace {

using Clock = std::chrono::steady_clock;

// How long a call waits for a server that went away: a restart takes a second or two.
constexpr auto kReconnectPatience = std::chrono::seconds(12);
constexpr auto kFirstPause = std::chrono::milliseconds(20);
constexpr auto kLongestReconnectPause = std::chrono::milliseconds(1000);

// Writes that are repeated within seconds or can be made again. For any other write, a gateway that outlives a crash of
// the database would wrongly believe that it is stored.
constexpr std::array<std::string_view, 3> kNeedNotSurvive = {"renew_lease", "keep_cached", "note_cache_hit"};
constexpr const char* kChannel = "glovebox";
// A number of our own among the advisory locks of this database.
constexpr std::uint64_t kLocks = 0x676c6f7665626f78;

std::uint64_t lock_number(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325 ^ kLocks;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

const std::string kBegin = "BEGIN";
const std::string kCommit = "COMMIT";
const std::string kNothing = "SELECT 1";
constexpr std::string_view kRequiredEnd = " SELECT 1 / count(*) FROM required";
const std::string kNotify = std::string("NOTIFY ") + kChannel;
const std::string kLock = "SELECT pg_advisory_xact_lock($1)";
const std::string kNeedNotWait = "SELECT set_config('synchronous_commit', 'off', true)";
const std::string kTakesLong = "SELECT set_config('statement_timeout', '0', true)";
// The server notices that its client is gone (from version 14 on; an older one finishes the statement in vain).
const std::string kNoticesEnd =
    "SELECT set_config(name, '2s', true) FROM pg_settings WHERE name = 'client_connection_check_interval'";
// Returns a row unless that write, or a later one, is committed already. The arguments are the positions of the writer
// and the number among the values.
std::string count_words(std::size_t writer, std::size_t number) {
  return "INSERT INTO writers (id, number) VALUES (convert_from($" + std::to_string(writer) + ", 'UTF8'), $" +
         std::to_string(number) +
         ") ON CONFLICT (id) DO UPDATE SET number = excluded.number, at = now() WHERE writers.number < excluded.number "
         "RETURNING 1";
}
const std::string kCount = count_words(1, 2);

PostgresStatement lock_statement(std::string_view name) {
  return {&kLock, {{true, "", static_cast<std::int64_t>(lock_number(name))}}};
}

}  // namespace

// One execution. It is sent at the first step, and fetches all rows then.
class PostgresDatabase::Rows final : public DatabaseQuery {
 public:
  Rows(PostgresDatabase& database, const char* sql) : database_(database), sql_(sql) {}
  void bind_text(std::string_view text) override { values_.push_back({false, std::string(text), std::nullopt}); }
  void bind_blob(std::string_view bytes) override { bind_text(bytes); }
  void bind_number(std::optional<std::int64_t> number) override { values_.push_back({true, "", number}); }

  Result<bool> step() override {
    if (!rows_) rows_ = GLOVEBOX_TRY(database_.send_now(statement(false)));
    return ++row_ < rows_->count();
  }
  Result<void> run() override {
    if (rows_) return {};
    if (database_.writes_now_) {
      database_.send_later(statement(false));
      return {};
    }
    GLOVEBOX_TRY(step());
    return {};
  }
  Result<void> require(Failure otherwise) override {
    database_.send_later(statement(true), std::move(otherwise));
    return {};
  }
  Result<std::int64_t> changed() override {
    GLOVEBOX_TRY(step());
    return rows_->changed();
  }
  std::string text(int column) const override { return rows_->text(row_, column); }
  std::int64_t number(int column) const override { return rows_->number(row_, column); }
  bool is_null(int column) const override { return rows_->is_null(row_, column); }

 private:
  PostgresStatement statement(bool required) { return {&database_.words(sql_, required), std::move(values_)}; }

  PostgresDatabase& database_;
  const char* sql_;
  std::vector<PostgresValue> values_;
  std::optional<PostgresRows> rows_;
  int row_ = -1;
};

PostgresDatabase::PostgresDatabase(std::string address) : address_(std::move(address)), patience_(kReconnectPatience) {}

PostgresDatabase::~PostgresDatabase() {
  if (!is_lost()) (void)connection_->run_all("DELETE FROM writers WHERE id = '" + writer_ + "'").ok();
}

Result<std::unique_ptr<PostgresDatabase>> PostgresDatabase::open(const std::string& address) {
  std::unique_ptr<PostgresDatabase> database(new PostgresDatabase(address));
  database->writer_ = base::random_hex(12);
  GLOVEBOX_TRY_VOID(database->connect());
  PostgresConnection& connection = *database->connection_;
  // If two processes do this at once, the lock makes the second see what the first has created.
  GLOVEBOX_TRY(connection.run_all("BEGIN"));
  GLOVEBOX_TRY(connection.run({lock_statement("schema")}));
  const auto there = GLOVEBOX_TRY(
      connection.run_all("SELECT 1 FROM pg_namespace WHERE nspname = 'glovebox' AND to_regclass('glovebox.writers') IS "
                         "NOT NULL"));
  if (there.count() == 0) {
    // The owner of the database may have created the schema for us, and we may lack the right to.
    const auto schema = GLOVEBOX_TRY(connection.run_all("SELECT 1 FROM pg_namespace WHERE nspname = 'glovebox'"));
    if (schema.count() == 0) GLOVEBOX_TRY(connection.run_all("CREATE SCHEMA glovebox"));
    GLOVEBOX_TRY(
        connection.run_all("CREATE TABLE glovebox.writers (id TEXT PRIMARY KEY, number BIGINT NOT NULL, at TIMESTAMPTZ "
                           "NOT NULL DEFAULT now())"));
  }
  GLOVEBOX_TRY(connection.run_all("COMMIT"));
  // Rows that other writers have left behind: no retry asks about a write of yesterday.
  GLOVEBOX_TRY(connection.run_all("DELETE FROM writers WHERE at < now() - interval '1 day'"));
  return database;
}

Result<void> PostgresDatabase::connect() {
  connection_.reset();
  connection_ = GLOVEBOX_TRY(PostgresConnection::open(address_));
  GLOVEBOX_TRY(connection_->run_all("SET search_path = glovebox"));
  if (std::exchange(was_connected_, true)) back_since_ = Clock::now();
  return {};
}

Result<void> PostgresDatabase::connected() {
  if (!is_lost()) return {};
  auto made = connect();
  if (!made) connection_.reset();
  return made;
}

Result<void> PostgresDatabase::insist(const std::function<Result<void>()>& work) {
  const Patience patience = Patience::here();
  const bool posted = patience.kind == Patience::Kind::kPosted;
  const bool hurried = posted || patience.kind == Patience::Kind::kHurried;
  const auto is_patient = [&] {
    return posted || (!hurried && (patience_until_ == Clock::time_point() || Clock::now() < patience_until_));
  };
  const auto waits_on = [&] { return posted && may_be_committed_ && !patience.stopping->load(); };
  may_be_committed_ = false;
  // An attempt failed a moment ago: a caller that does not wait fails at once.
  if (is_lost() && Clock::now() < next_attempt_ && !is_patient()) {
    return Failure{ErrorCode::kSystem, "the store cannot be reached; another attempt follows in a moment"};
  }
  const auto began = Clock::now();
  std::chrono::milliseconds pause = kFirstPause;
  while (true) {
    const auto tried = Clock::now();
    Result<void> done = connected();
    const bool reached = done.ok();
    if (reached) {
      connection_->forget_failure();
      next_attempt_ = {};
      patience_until_ = {};
    }
    if (done) done = work();
    if (done) return {};
    const bool lost = is_lost();
    const bool again = lost || connection_->may_try_again();
    const bool hopeless = !reached && done.failure().code == ErrorCode::kInvalidArgument;
    if (!again || hopeless) return done;
    if (lost && patience_until_ == Clock::time_point()) patience_until_ = Clock::now() + patience_;
    const auto until = lost ? patience_until_ : began + patience_;
    // If the commit was sent, only the next attempt shows whether the write was committed.
    const bool leaves = lost && hurried && !may_be_committed_;
    if (leaves || (!waits_on() && Clock::now() + pause > until)) {
      // A network that drops everything makes an attempt long; the thread has other things to do, too.
      const auto took = Clock::now() - tried;
      if (lost) next_attempt_ = Clock::now() + std::max<Clock::duration>(kLongestReconnectPause, 4 * took);
      return done;
    }
    std::this_thread::sleep_for(pause);
    pause = std::min(pause * 2, kLongestReconnectPause);
  }
}

Result<void> PostgresDatabase::read(const std::function<Result<void>()>& work) {
  return insist(work);
}

Result<void> PostgresDatabase::write(const Write& write, const std::function<Result<void>()>& work) {
  ++writes_;
  const LongStatements long_ones(write.takes_long);
  is_first_attempt_ = true;
  return insist([&] {
    writes_now_ = true;
    Result<void> done = attempt(write, work);
    writes_now_ = false;
    return done;
  });
}

Result<void> PostgresDatabase::attempt(const Write& write, const std::function<Result<void>()>& work) {
  waiting_.clear();
  otherwise_.clear();
  has_begun_ = false;
  const auto& brief = kNeedNotSurvive;
  const bool survives = std::find(brief.begin(), brief.end(), std::string_view(write.what)) == brief.end();
  if (!survives) send_later({&kNeedNotWait, {}});
  if (write.takes_long) {
    send_later({&kTakesLong, {}});
    send_later({&kNoticesEnd, {}});
  }
  if (!write.lock.empty()) send_later(lock_statement(write.lock));
  Result<void> done;
  is_uncounted_ = std::exchange(is_first_attempt_, false);
  if (!is_uncounted_) {
    const auto counted = send_now(count());
    // An earlier attempt was committed, but its reply was lost.
    const bool is_there = counted && counted->count() == 0;
    if (is_there) roll_back();
    if (is_there) return {};
    if (!counted) done = counted.failure();
  }
  if (done) {
    failpoint(write.what, "begun");
    done = work();
  }
  if (done) {
    failpoint(write.what, "written");
    done = commit();
  }
  if (!done) {
    // may_try_again() is about the work, not about the rollback, so it is read before.
    const bool again = connection_ && connection_->may_try_again();
    roll_back();
    if (again && !is_lost()) connection_->set_may_try_again();
    return done;
  }
  failpoint(write.what, "committed");
  return {};
}

void PostgresDatabase::send_later(PostgresStatement statement, std::optional<Failure> otherwise) {
  if (otherwise && std::exchange(is_uncounted_, false)) statement = counting(std::move(statement));
  if (otherwise) otherwise_.emplace(waiting_.size(), std::move(*otherwise));
  waiting_.push_back(std::move(statement));
}

Result<PostgresRows> PostgresDatabase::send_now(PostgresStatement statement) {
  std::vector<PostgresStatement> statements;
  if (writes_now_ && !has_begun_) statements.push_back({&kBegin, {}});
  if (std::exchange(is_uncounted_, false)) statements.push_back(count());
  const std::size_t before = statements.size();
  std::move(waiting_.begin(), waiting_.end(), std::back_inserter(statements));
  statements.push_back(std::move(statement));
  has_begun_ = writes_now_;
  auto rows = GLOVEBOX_TRY(send(std::move(statements), before));
  return std::move(rows.back());
}

Result<void> PostgresDatabase::commit() {
  // A caller that does not wait must be certain for as long as possible that nothing is committed: a server that hangs
  // is found before the commit is sent.
  if (NoPatience::here() && !waiting_.empty()) GLOVEBOX_TRY(send_now({&kNothing, {}}));
  if (std::exchange(is_uncounted_, false)) send_later(count());
  std::vector<PostgresStatement> statements = std::exchange(waiting_, {});
  if (has_begun_) statements.push_back({&kCommit, {}});
  may_be_committed_ = !is_lost();
  GLOVEBOX_TRY(send(std::move(statements), 0));
  has_begun_ = false;
  return {};
}

// The first of the waiting statements is at `before`.
Result<std::vector<PostgresRows>> PostgresDatabase::send(std::vector<PostgresStatement> statements,
                                                         std::size_t before) {
  waiting_.clear();
  const auto otherwise = std::exchange(otherwise_, {});
  if (is_lost()) return Failure{ErrorCode::kSystem, "the store is no longer reachable"};
  auto rows = connection_->run(statements);
  if (rows || is_lost()) return rows;
  may_be_committed_ = false;
  const auto required = otherwise.find(connection_->failed_statement() - before);
  if (connection_->has_divided_by_zero() && required != otherwise.end()) return required->second;
  return rows;
}

PostgresStatement PostgresDatabase::count() const {
  return {&kCount, {{false, writer_, std::nullopt}, {true, "", writes_}}};
}

PostgresStatement PostgresDatabase::counting(PostgresStatement required) {
  std::string& words = counting_words_[required.sql];
  const std::size_t values = required.values.size();
  if (words.empty()) {
    words = *required.sql;
    words.insert(words.find(kRequiredEnd), ", counted AS (" + count_words(values + 1, values + 2) + ")");
  }
  required.sql = &words;
  required.values.push_back({false, writer_, std::nullopt});
  required.values.push_back({true, "", writes_});
  return required;
}

void PostgresDatabase::roll_back() {
  waiting_.clear();
  if (std::exchange(has_begun_, false) && !is_lost()) (void)connection_->run_all("ROLLBACK").ok();
}

// A required statement is written so that the server itself stops where the requirement does not hold.
const std::string& PostgresDatabase::words(const char* sql, bool required) {
  const auto known = words_.find({sql, required});
  if (known != words_.end()) return known->second;
  std::string made = postgres_words(sql);
  if (required) made = "WITH required AS (" + made + ")" + std::string(kRequiredEnd);
  return words_.emplace(std::pair(sql, required), std::move(made)).first->second;
}

Result<Statement> PostgresDatabase::prepare(const char* sql) {
  return Statement(std::make_unique<Rows>(*this, sql));
}

Result<void> PostgresDatabase::execute(const std::string& sql) {
  if (is_lost()) return Failure{ErrorCode::kSystem, "the store is no longer reachable"};
  if (writes_now_) GLOVEBOX_TRY(send_now({&kNothing, {}}));
  auto done = connection_->run_all(sql);
  if (!done) return std::move(done).failure();
  return {};
}

Result<void> PostgresDatabase::lock(std::string_view name) {
  send_later(lock_statement(name));
  return {};
}

Result<void> PostgresDatabase::wake_others() {
  send_later({&kNotify, {}});
  return {};
}

std::string PostgresDatabase::in_own_words(std::string_view schema) const {
  return postgres_schema(schema);
}

struct PostgresListener::State {
  std::string address;
  std::function<void()> on_notice;
  base::UniqueFd stop;
  std::thread thread;

  // Returns whether to continue.
  bool pause(std::chrono::milliseconds time) const {
    pollfd fd{stop.get(), POLLIN, 0};
    return ::poll(&fd, 1, static_cast<int>(time.count())) == 0;
  }

  void listen() const {
    std::chrono::milliseconds wait = kFirstPause;
    while (true) {
      auto connection = PostgresConnection::open(address);
      if (connection && connection->run_all(std::string("LISTEN ") + kChannel).ok()) {
        wait = kFirstPause;
        on_notice();  // for notifications missed while disconnected
        while (true) {
          const auto noticed = connection->wait_for_notice(stop.get());
          if (!noticed) break;
          if (!noticed.value()) return;
          on_notice();
        }
      }
      if (!pause(wait)) return;
      wait = std::min(wait * 2, kLongestReconnectPause);
    }
  }
};

PostgresListener::PostgresListener(std::string address, std::function<void()> on_notice)
    : state_(std::make_unique<State>()) {
  state_->address = std::move(address);
  state_->on_notice = std::move(on_notice);
  state_->stop = base::UniqueFd(::eventfd(0, EFD_CLOEXEC));
  state_->thread = std::thread([state = state_.get()] { state->listen(); });
}

PostgresListener::~PostgresListener() {
  const std::uint64_t one = 1;
  (void)!::write(state_->stop.get(), &one, sizeof one);
  state_->thread.join();
}

}  // namespace glovebox::store
