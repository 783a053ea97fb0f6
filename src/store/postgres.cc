#include "store/postgres.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <map>
#include <thread>

#include "base/try.h"
#include "base/unique_fd.h"
#include "store/dialect.h"
#include "store/failpoint.h"
#include "store/patience.h"

namespace glovebox::store {
namespace {

using Clock = std::chrono::steady_clock;

// How long a call waits for a server that went away: a restart takes a second or two.
constexpr auto kReconnectPatience = std::chrono::seconds(12);
constexpr auto kFirstPause = std::chrono::milliseconds(20);
constexpr auto kLongestReconnectPause = std::chrono::milliseconds(1000);

// What is said again in seconds, or made again. Of anything else a gateway that outlives a crash of the database would
// believe that it is there.
constexpr std::array<std::string_view, 3> kNeedNotSurvive = {"renew_lease", "keep_cached", "note_cache_hit"};
constexpr const char* kChannel = "glovebox";
// A number of our own among the locks that this database may know.
constexpr std::uint64_t kLocks = 0x676c6f7665626f78;

std::uint64_t lock_number(std::string_view name) {
  std::uint64_t hash = 0xcbf29ce484222325 ^ kLocks;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

std::string lock_statement(std::string_view name) {
  return "SELECT pg_advisory_xact_lock(" + std::to_string(static_cast<std::int64_t>(lock_number(name))) + ")";
}

Result<std::string> random_name() {
  unsigned char bytes[12];
  if (::getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return Failure{ErrorCode::kSystem, "there is no randomness"};
  std::string name;
  for (const unsigned char byte : bytes) {
    name += "0123456789abcdef"[byte >> 4];
    name += "0123456789abcdef"[byte & 15];
  }
  return name;
}

}  // namespace

// One execution. It is made at the first step, and gives all rows then.
class PostgresDatabase::Rows final : public Query {
 public:
  Rows(PostgresDatabase& database, const std::string& sql) : database_(database), sql_(sql) {}
  void bind_text(std::string_view text) override { values_.push_back({false, text, std::nullopt}); }
  void bind_blob(std::string_view bytes) override { values_.push_back({false, bytes, std::nullopt}); }
  void bind_number(std::optional<std::int64_t> number) override { values_.push_back({true, {}, number}); }

  Result<bool> step() override {
    if (!rows_) {
      if (database_.is_lost()) return Failure{ErrorCode::kSystem, "the store cannot be reached any more"};
      rows_ = GLOVEBOX_TRY(database_.connection_->run(sql_, values_));
      database_.changes_ = rows_->changed();
    }
    return ++row_ < rows_->count();
  }
  std::string text(int column) const override { return rows_->text(row_, column); }
  std::int64_t number(int column) const override { return rows_->number(row_, column); }
  bool is_null(int column) const override { return rows_->is_null(row_, column); }

 private:
  PostgresDatabase& database_;
  const std::string& sql_;
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
  database->writer_ = GLOVEBOX_TRY(random_name());
  GLOVEBOX_TRY_VOID(database->connect());
  PostgresConnection& connection = *database->connection_;
  // Two at once: the lock makes the second see what the first has made.
  GLOVEBOX_TRY(connection.run_all("BEGIN; " + lock_statement("schema")));
  const auto there = GLOVEBOX_TRY(
      connection.run_all("SELECT 1 FROM pg_namespace WHERE nspname = 'glovebox' AND to_regclass('glovebox.writers') IS "
                         "NOT NULL"));
  if (there.count() == 0) {
    // A schema that the owner of the database has made for us need not be ours to make.
    const auto schema = GLOVEBOX_TRY(connection.run_all("SELECT 1 FROM pg_namespace WHERE nspname = 'glovebox'"));
    if (schema.count() == 0) GLOVEBOX_TRY(connection.run_all("CREATE SCHEMA glovebox"));
    GLOVEBOX_TRY(
        connection.run_all("CREATE TABLE glovebox.writers (id TEXT PRIMARY KEY, number BIGINT NOT NULL, at TIMESTAMPTZ "
                           "NOT NULL DEFAULT now())"));
  }
  GLOVEBOX_TRY(connection.run_all("COMMIT"));
  // Rows that others have left behind: nobody asks about a write of yesterday.
  GLOVEBOX_TRY(
      connection.run_all("DELETE FROM writers WHERE at < now() - interval '1 day'; INSERT INTO writers (id, "
                         "number) VALUES ('" +
                         database->writer_ + "', 0)"));
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
  // Somebody has tried in vain a moment ago: whoever does not wait is told at once.
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
    // Of a write whose commit was sent, the next attempt tells what became of it.
    const bool leaves = lost && hurried && !may_be_committed_;
    if (leaves || (!waits_on() && Clock::now() + pause > until)) {
      // A network that swallows everything makes an attempt long; its thread has other things to do, too.
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
  return insist([&] { return attempt(write, work); });
}

Result<void> PostgresDatabase::attempt(const Write& write, const std::function<Result<void>()>& work) {
  const std::string number = std::to_string(writes_);
  std::string begin = "BEGIN; ";
  const auto& brief = kNeedNotSurvive;
  const bool survives = std::find(brief.begin(), brief.end(), std::string_view(write.what)) == brief.end();
  if (!survives) begin += "SET LOCAL synchronous_commit = off; ";
  if (!write.lock.empty()) begin += lock_statement(write.lock) + "; ";
  begin += "UPDATE writers SET number = " + number + ", at = now() WHERE id = '" + writer_ + "' AND number < " +
           number + " RETURNING 1";
  const auto counted = GLOVEBOX_TRY(connection_->run_all(begin));
  if (counted.count() == 0) {
    // An earlier attempt was committed, and we did not hear of it.
    (void)connection_->run_all("ROLLBACK").ok();
    return {};
  }
  failpoint(write.what, "begun");
  Result<void> done = work();
  if (!done) {
    // What may_try_again() says is about the work, not about this.
    const bool again = connection_ && connection_->may_try_again();
    if (!is_lost()) (void)connection_->run_all("ROLLBACK").ok();
    if (again && !is_lost()) connection_->set_may_try_again();
    return done;
  }
  failpoint(write.what, "written");
  if (is_lost()) return Failure{ErrorCode::kSystem, "the store cannot be reached any more"};
  may_be_committed_ = true;
  GLOVEBOX_TRY(connection_->run_all("COMMIT"));
  failpoint(write.what, "committed");
  return {};
}

Result<Statement> PostgresDatabase::prepare(const char* sql) {
  auto known = words_.find(sql);
  if (known == words_.end()) known = words_.emplace(sql, postgres_words(sql)).first;
  return Statement(std::make_unique<Rows>(*this, known->second));
}

Result<void> PostgresDatabase::execute(const std::string& sql) {
  if (is_lost()) return Failure{ErrorCode::kSystem, "the store cannot be reached any more"};
  auto done = connection_->run_all(sql);
  if (!done) return std::move(done).failure();
  return {};
}

Result<void> PostgresDatabase::lock(std::string_view name) {
  return execute(lock_statement(name));
}

Result<void> PostgresDatabase::wake_others() {
  return execute(std::string("NOTIFY ") + kChannel);
}

std::string PostgresDatabase::in_own_words(std::string_view schema) const {
  return postgres_schema(schema);
}

Result<void> PostgresDatabase::back_up(std::int64_t version) {
  const std::string to = "glovebox_backup_v" + std::to_string(version);
  return execute("DROP SCHEMA IF EXISTS " + to + " CASCADE; CREATE SCHEMA " + to +
                 "; DO $copy$ DECLARE name text; BEGIN FOR name IN SELECT tablename FROM pg_tables WHERE schemaname = "
                 "'glovebox' LOOP EXECUTE format('CREATE TABLE " +
                 to + ".%I AS TABLE glovebox.%I', name, name); END LOOP; END $copy$");
}

Result<void> PostgresDatabase::copy_to(const std::string&) {
  return Failure{ErrorCode::kInvalidArgument,
                 "a PostgreSQL store is backed up with its own tools, such as pg_dump --schema=glovebox"};
}

struct PostgresListener::State {
  std::string address;
  std::function<void()> on_notice;
  base::UniqueFd stop;
  std::thread thread;

  // Whether to go on.
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
        on_notice();  // for what was said while nobody listened
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
