// A connection to PostgreSQL that does not hang: every answer is waited for until a deadline, and a connection that did
// not answer is lost. Nothing of libpq-fe.h goes further than this file's neighbours.
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
// As it can be shown: without the password and what else may be secret.
std::string shown_address(const std::string& address);

// Rows of one statement, values in PostgreSQL's binary forms.
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
  const std::string* sql;  // lives as long as the connection, which prepares it once for each kind of values
  std::vector<PostgresValue> values;
};

class PostgresConnection {
 public:
  // kInvalidArgument when the address is none; kSystem when nobody answers there.
  static Result<PostgresConnection> open(const std::string& address);

  // Once it is lost, everything fails.
  bool lost() const { return lost_; }
  // Whether the last statement failed for a reason that is gone when its transaction is made again.
  bool may_try_again() const { return try_again_; }
  void set_may_try_again() { try_again_ = true; }
  // Whether the last statement that failed did so for a reason that may be gone in a while: a lock, a full disk.
  bool may_pass() const { return may_pass_; }
  void forget_failure() { may_pass_ = false; }

  // All of them in one round trip. After one that fails none is carried out; outside of a transaction that was begun
  // they are one, and then nothing is.
  Result<std::vector<PostgresRows>> run(const std::vector<PostgresStatement>& statements);
  // Which of them has failed, and whether by a division by zero.
  std::size_t failed_statement() const { return failed_; }
  bool has_divided_by_zero() const { return divided_by_zero_; }
  // Several statements without values. Gives the rows of the last that has some, as text.
  Result<PostgresRows> run_all(const std::string& sql);

  // Waits until somebody has said NOTIFY on a channel that this connection listens to, `stop_fd` can be read (false),
  // or the connection is lost (failure).
  Result<bool> wait_for_notice(int stop_fd);

 private:
  struct Finish {
    void operator()(pg_conn* connection) const;
  };
  PostgresConnection(pg_conn* connection, std::string password);
  Failure failure(const char* what);
  Failure failure_of(const pg_result* result);
  Failure unreachable() { return failure("cannot be reached any more"); }
  // Until there is something to be had from libpq. Nothing: there is; else the connection is lost.
  std::optional<Failure> wait(std::chrono::steady_clock::time_point until);
  Result<PostgresRows> await();

  struct Prepared {
    std::string name;
    bool is_known = false;  // the server has said so
  };
  struct Sent {
    std::size_t statement;
    Prepared* prepares;  // null: it is carried out
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
