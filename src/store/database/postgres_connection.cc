#include "store/database/postgres_connection.h"

#include <endian.h>
#include <errno.h>
#include <libpq-fe.h>
#include <poll.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>

#include "base/system_error.h"
#include "base/try.h"
#include "store/database/patience.h"

namespace glovebox::store {
namespace {

using Clock = std::chrono::steady_clock;

// The server aborts a statement before we give up on the server, so that we get its reason.
constexpr auto kStatementPatience = std::chrono::seconds(20);
// For callers that retry anyway.
constexpr auto kHurriedPatience = std::chrono::seconds(2);
// For one step of pruning.
constexpr auto kLongPatience = std::chrono::minutes(2);
constexpr const char* kSession =
    "SET statement_timeout = '15s'; SET lock_timeout = '10s'; SET idle_in_transaction_session_timeout = '5s';"
    "SET client_min_messages = warning; SET synchronous_commit = on; SET bytea_output = 'hex'";
constexpr int kOldestServer = 130000;
// Between results libpq returns null. More often in a row than this, it is out of step.
constexpr int kMostNothing = 3;
constexpr std::int64_t kLongestPoll = 3'600'000;

constexpr Oid kBytea = 17;
constexpr Oid kInt8 = 20;

// The parsed address; null where it is invalid.
struct OptionsFree {
  void operator()(PQconninfoOption* options) const { PQconninfoFree(options); }
};
using Options = std::unique_ptr<PQconninfoOption, OptionsFree>;
Options parse(const std::string& address) {
  char* message = nullptr;
  Options options(PQconninfoParse(address.c_str(), &message));
  PQfreemem(message);
  return options;
}

// For a long statement, the connection itself shows whether the server is still there; only threads that wait anyway
// have no deadline.
Clock::time_point answer_by() {
  const Patience& patience = Patience::here();
  if (!patience.takes_long) return Clock::now() + (NoPatience::here() ? kHurriedPatience : kStatementPatience);
  return patience.kind == Patience::Kind::kWaits ? Clock::time_point::max() : Clock::now() + kLongPatience;
}

std::string option(const Options& options, std::string_view name) {
  for (const PQconninfoOption* one = options.get(); one && one->keyword; ++one) {
    if (name == one->keyword && one->val) return one->val;
  }
  return "";
}

}  // namespace

bool is_postgres_address(std::string_view where) {
  return where.starts_with("postgres://") || where.starts_with("postgresql://");
}

std::string shown_address(const std::string& address) {
  const Options options = parse(address);
  if (!options) return "postgres://…";
  const std::string user = option(options, "user");
  std::string host = option(options, "host");
  if (host.empty()) host = option(options, "hostaddr");
  const std::string port = option(options, "port");
  const std::string name = option(options, "dbname");
  return "postgres://" + (user.empty() ? "" : user + "@") + (host.empty() ? "(local)" : host) +
         (port.empty() ? "" : ":" + port) + "/" + name;
}

void PostgresRows::Clear::operator()(pg_result* result) const {
  PQclear(result);
}

int PostgresRows::count() const {
  return PQntuples(result_.get());
}

std::int64_t PostgresRows::changed() const {
  return std::atoll(PQcmdTuples(result_.get()));
}

std::string PostgresRows::text(int row, int column) const {
  return {PQgetvalue(result_.get(), row, column), static_cast<std::size_t>(PQgetlength(result_.get(), row, column))};
}

std::int64_t PostgresRows::number(int row, int column) const {
  const char* bytes = PQgetvalue(result_.get(), row, column);
  switch (PQgetlength(result_.get(), row, column)) {
    case 8: {
      std::uint64_t value = 0;
      std::memcpy(&value, bytes, sizeof value);
      return static_cast<std::int64_t>(be64toh(value));
    }
    case 4: {
      std::uint32_t value = 0;
      std::memcpy(&value, bytes, sizeof value);
      return static_cast<std::int32_t>(be32toh(value));
    }
    default: return 0;
  }
}

bool PostgresRows::is_null(int row, int column) const {
  return PQgetisnull(result_.get(), row, column) != 0;
}

void PostgresConnection::Finish::operator()(pg_conn* connection) const {
  PQfinish(connection);
}

PostgresConnection::PostgresConnection(pg_conn* connection, std::string password)
    : connection_(connection), password_(std::move(password)) {}

Result<PostgresConnection> PostgresConnection::open(const std::string& address) {
  const Options options = parse(address);
  // libpq's message would quote the offending part of the address, which may be the password.
  if (!options) return Failure{ErrorCode::kInvalidArgument, "the store's address is not one of PostgreSQL"};
  // Settings in the address itself come after these, and take precedence.
  const std::array<const char*, 9> names = {"connect_timeout",
                                            "application_name",
                                            "keepalives_idle",
                                            "keepalives_interval",
                                            "keepalives_count",
                                            "tcp_user_timeout",
                                            "dbname",
                                            "fallback_application_name",
                                            nullptr};
  const std::array<const char*, 9> values = {"5",     "glovebox",      "5",        "3",    "3",
                                             "15000", address.c_str(), "glovebox", nullptr};
  PostgresConnection made(PQconnectdbParams(names.data(), values.data(), 1), option(options, "password"));
  if (PQstatus(made.connection_.get()) != CONNECTION_OK) {
    const Failure why = made.failure("cannot be reached");
    return why;
  }
  if (PQserverVersion(made.connection_.get()) < kOldestServer) {
    return Failure{ErrorCode::kInvalidArgument, "the store is a PostgreSQL older than 13"};
  }
  PQsetnonblocking(made.connection_.get(), 1);
  // Notices of the server must not appear on the user's terminal.
  PQsetNoticeProcessor(
      made.connection_.get(), [](void*, const char*) {}, nullptr);
  GLOVEBOX_TRY(made.run_all(kSession));
  return made;
}

std::string PostgresConnection::without_password(std::string text) const {
  for (std::size_t at = 0; !password_.empty() && (at = text.find(password_, at)) != std::string::npos;) {
    text.replace(at, password_.size(), "***");
    at += 3;
  }
  // "connection to server at "db.example" (10.0.0.1), port 5432 failed: …": readers of this message need not own the
  // server, so its address is cut out.
  constexpr std::string_view kServer = "connection to server ";
  constexpr std::string_view kFailed = " failed: ";
  for (std::size_t at = 0; (at = text.find(kServer, at)) != std::string::npos;) {
    const std::size_t end = text.find(kFailed, at);
    if (end == std::string::npos) {
      text.resize(at);
      break;
    }
    text.erase(at, end + kFailed.size() - at);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

Failure PostgresConnection::failure(const char* what) {
  lost_ = true;
  const std::string says = without_password(PQerrorMessage(connection_.get()));
  return {ErrorCode::kSystem, std::string("the store ") + what + (says.empty() ? "" : ": " + says)};
}

Failure PostgresConnection::failure_of(const pg_result* result) {
  if (PQstatus(connection_.get()) != CONNECTION_OK) return unreachable();
  const char* state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
  const std::string_view code = state ? state : "";
  const std::string says = without_password(PQresultErrorMessage(result));
  // A deadlock or a serialization failure; and a server that shuts down or starts up reports that before it
  // disconnects.
  try_again_ = code == "40P01" || code == "40001";
  divided_by_zero_ = code == "22012";
  if (code.starts_with("57P") || code.starts_with("08") || code == "25P03") lost_ = true;
  may_pass_ = try_again_ || code == "57014" || code == "55P03" || code.starts_with("53");
  if (code == "57014") return {ErrorCode::kSystem, "the store did not answer in time: " + says};
  if (code == "55P03") return {ErrorCode::kSystem, "the store is locked by another process: " + says};
  if (code.starts_with("53")) return {ErrorCode::kSystem, "the store cannot grow: " + says};
  if (code == "23505") return {ErrorCode::kConflict, "the store already has it: " + says};
  return {ErrorCode::kSystem, "the store: " + says};
}

std::optional<Failure> PostgresConnection::wait(Clock::time_point until) {
  while (PQisBusy(connection_.get())) {
    const int unsent = PQflush(connection_.get());
    const auto left = std::min<std::int64_t>(
        std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count(), kLongestPoll);
    pollfd socket{PQsocket(connection_.get()), static_cast<short>(POLLIN | (unsent == 1 ? POLLOUT : 0)), 0};
    const int ready = left <= 0 ? 0 : ::poll(&socket, 1, static_cast<int>(left));
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0 && Clock::now() < until) continue;
    if (ready <= 0) return failure("does not answer");
    if (unsent < 0 || PQconsumeInput(connection_.get()) == 0) return unreachable();
  }
  return std::nullopt;
}

Result<PostgresRows> PostgresConnection::await() {
  const auto until = answer_by();
  PostgresRows rows(nullptr);
  std::optional<Failure> failed;
  while (true) {
    if (auto lost = wait(until)) return std::move(*lost);
    pg_result* result = PQgetResult(connection_.get());
    if (!result) break;
    PostgresRows given(result);
    const ExecStatusType status = PQresultStatus(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && !failed) failed = failure_of(result);
    if (status == PGRES_TUPLES_OK || PQntuples(result) > 0 || !failed) rows = std::move(given);
  }
  if (failed) return std::move(*failed);
  return rows;
}

bool PostgresConnection::send(const PostgresStatement& statement, std::size_t number, std::vector<Sent>& sent) {
  const std::vector<PostgresValue>& values = statement.values;
  const int count = static_cast<int>(values.size());
  std::vector<Oid> types;
  std::vector<std::uint64_t> numbers(values.size());
  std::vector<const char*> pointers;
  std::vector<int> lengths;
  const std::vector<int> binary(values.size(), 1);
  std::string kinds;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const PostgresValue& value = values[i];
    kinds += value.is_number ? 'n' : 't';
    types.push_back(value.is_number ? kInt8 : kBytea);
    if (value.is_number && !value.number) {
      pointers.push_back(nullptr);
      lengths.push_back(0);
    } else if (value.is_number) {
      numbers[i] = htobe64(static_cast<std::uint64_t>(*value.number));
      pointers.push_back(reinterpret_cast<const char*>(&numbers[i]));
      lengths.push_back(8);
    } else {
      pointers.push_back(value.bytes.data());
      lengths.push_back(static_cast<int>(value.bytes.size()));
    }
  }
  Prepared& prepared = prepared_[{statement.sql, std::move(kinds)}];
  const bool is_sent =
      std::any_of(sent.begin(), sent.end(), [&](const Sent& one) { return one.prepares == &prepared; });
  if (!prepared.is_known && !is_sent) {
    // A new name each time: if the reply to a prepare was lost, we cannot know whether the server has that name.
    prepared.name = "s" + std::to_string(++names_);
    if (!PQsendPrepare(connection_.get(), prepared.name.c_str(), statement.sql->c_str(), count, types.data())) {
      return false;
    }
    sent.push_back({number, &prepared});
  }
  sent.push_back({number, nullptr});
  return PQsendQueryPrepared(connection_.get(), prepared.name.c_str(), count, pointers.data(), lengths.data(),
                             binary.data(), 1) == 1;
}

Result<std::vector<PostgresRows>> PostgresConnection::receive(const std::vector<Sent>& sent) {
  const auto until = answer_by();
  std::vector<PostgresRows> all;
  std::optional<Failure> failed;
  for (const Sent& one : sent) {
    while (true) {
      if (auto lost = wait(until)) return std::move(*lost);
      pg_result* result = PQgetResult(connection_.get());
      if (!result) break;
      PostgresRows rows(result);
      const ExecStatusType status = PQresultStatus(result);
      const bool done = status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
      if (done && one.prepares) one.prepares->is_known = true;
      if (done && !one.prepares) all.push_back(std::move(rows));
      if (done || failed) continue;
      failed = failure_of(result);
      failed_ = one.statement;
      if (lost_) return std::move(*failed);
    }
  }
  // The end of the pipeline: an implicit transaction is committed here, and may fail here.
  for (int nothing = 0; nothing < kMostNothing;) {
    if (auto lost = wait(until)) return std::move(*lost);
    pg_result* result = PQgetResult(connection_.get());
    const PostgresRows rows(result);
    const ExecStatusType status = PQresultStatus(result);
    if (!result) ++nothing;
    if (status == PGRES_FATAL_ERROR && result && !failed) failed = failure_of(result);
    if (status != PGRES_PIPELINE_SYNC) continue;
    if (failed) return std::move(*failed);
    return all;
  }
  return unreachable();
}

Result<std::vector<PostgresRows>> PostgresConnection::run(const std::vector<PostgresStatement>& statements) {
  if (lost_) return unreachable();
  try_again_ = false;
  divided_by_zero_ = false;
  if (!PQenterPipelineMode(connection_.get())) return unreachable();
  std::vector<Sent> sent;
  for (std::size_t i = 0; i < statements.size(); ++i) {
    if (!send(statements[i], i, sent)) return unreachable();
  }
  if (!PQpipelineSync(connection_.get())) return unreachable();
  auto all = receive(sent);
  if (!lost_ && !PQexitPipelineMode(connection_.get())) return unreachable();
  return all;
}

Result<PostgresRows> PostgresConnection::run_all(const std::string& sql) {
  if (lost_) return unreachable();
  try_again_ = false;
  if (!PQsendQuery(connection_.get(), sql.c_str())) return unreachable();
  return await();
}

Result<bool> PostgresConnection::wait_for_notice(int stop_fd) {
  while (true) {
    bool noticed = false;
    while (PGnotify* notice = PQnotifies(connection_.get())) {
      PQfreemem(notice);
      noticed = true;
    }
    if (noticed) return true;
    pollfd fds[2] = {{PQsocket(connection_.get()), POLLIN, 0}, {stop_fd, POLLIN, 0}};
    if (::poll(fds, 2, -1) < 0 && errno != EINTR) return base::system_failure(errno, "poll");
    if (fds[1].revents != 0) return false;
    if (PQconsumeInput(connection_.get()) == 0) return unreachable();
  }
}

}  // namespace glovebox::store
