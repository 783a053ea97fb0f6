// A connection to PostgreSQL that does not hang: every reply has a deadline, and a connection that misses it is lost.
// libpq-fe.h is not visible beyond this file's neighbours.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

struct pg_conn;
struct pg_result;

namespace glovebox::store {

bool is_postgres_address(std::string_view where);  // postgres://… or postgresql://…
// The address in displayable form: without the password and what else may be secret.
std::string shown_address(const std::string& address);

// Rows of one statement, values in PostgreSQL's binary formats.
class PostgresRows {
 public:
  explicit PostgresRows(pg_result* result) : result_(result) {}
  int count() const;
  std::int64_t changed() const;
  std::string text(int row, int column) const;
  std::int64_t number(int row, int column) const;
  bool is_null(int row, int column) const;

 private:
  struct Clear {
    void operator()(pg_result* result) const;
  };
  std::unique_ptr<pg_result, Clear> result_;
};

// A value of a statement.
struct PostgresValue {
  bool is_number = false;
  std::string bytes;
  std::optional<std::int64_t> number;  // nothing is NULL
};

// With $1, $2, … for its values.
struct PostgresStatement {
  const std::string* sql;  // must outlive the connection, which prepares it once for each combination of value types
  std::vector<PostgresValue> values;
};

class PostgresConnection {
 public:
  // kInvalidArgument when the address is invalid; kSystem when no server answers there.
  static Result<PostgresConnection> open(const std::string& address);

  // Once it is lost, every call fails.
  bool lost() const { return lost_; }
  // Whether the last statement failed for a reason that retrying its transaction resolves.
  bool may_try_again() const { return try_again_; }
  void set_may_try_again() { try_again_ = true; }
  // Whether the last statement that failed did so for a reason that may pass in a while: a lock, a full disk.
  bool may_pass() const { return may_pass_; }
  void forget_failure() { may_pass_ = false; }

  // All of them in one round trip. After one that fails none is executed; outside of an explicit transaction they form
  // one, which is then rolled back.
  Result<std::vector<PostgresRows>> run(const std::vector<PostgresStatement>& statements);
  // Which of them failed, and whether by a division by zero.
  std::size_t failed_statement() const { return failed_; }
  bool has_divided_by_zero() const { return divided_by_zero_; }
  // Several statements without values. Returns the rows of the last that has some, as text.
  Result<PostgresRows> run_all(const std::string& sql);

  // Waits until a NOTIFY arrives on a channel that this connection listens to, `stop_fd` is readable (false), or the
  // connection is lost (failure).
  Result<bool> wait_for_notice(int stop_fd);

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  PostgresConnection(pg_conn* connection, std::string password);
  Failure failure(const char* what);
  Failure failure_of(const pg_result* result);
  Failure unreachable() { return failure("is no longer reachable"); }
  // Waits until libpq has something to read. Returns nothing then; a failure when the connection is lost.
  std::optional<Failure> wait(std::chrono::steady_clock::time_point until);
  Result<PostgresRows> await();

  struct Prepared {
    std::string name;
    bool is_known = false;  // the server has confirmed it
  };
  struct Sent {
    std::size_t statement;
    Prepared* prepares;  // null: it is an execution
  };
  bool send(const PostgresStatement& statement, std::size_t number, std::vector<Sent>& sent);
  Result<std::vector<PostgresRows>> receive(const std::vector<Sent>& sent);
  std::string without_password(std::string text) const;

  std::unique_ptr<pg_conn, Finish> connection_;
  std::string password_;
  std::map<std::pair<const std::string*, std::string>, Prepared> prepared_;  // by sql and kinds of values
  std::size_t names_ = 0;
  std::size_t failed_ = 0;
  bool divided_by_zero_ = false;
  bool lost_ = false;
  bool try_again_ = false;
  bool may_pass_ = false;
};

}  // namespace glovebox::store
