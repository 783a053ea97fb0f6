// SQLite behind owner classes: a connection and its prepared statements. Nothing of sqlite3.h goes further than this
// file's neighbours.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "glovebox/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace glovebox::store {

class Database;

// One prepared statement, bound and stepped once. Texts that are bound must live until it is done.
class Statement {
 public:
  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind_blob(std::string_view bytes);
  Statement& bind_null();

  // Whether there is a row.
  Result<bool> step();
  // For what gives no rows.
  Result<void> run();

  std::string text(int column) const;
  std::int64_t number(int column) const;
  bool is_null(int column) const;

  ~Statement();
  Statement(Statement&&) noexcept = default;

 private:
  friend class Database;
  struct Reset {
    void operator()(sqlite3_stmt* statement) const;
  };
  Statement(sqlite3* connection, sqlite3_stmt* statement);
  sqlite3* connection_;
  std::unique_ptr<sqlite3_stmt, Reset> statement_;
  int next_ = 1;
  int bind_error_ = 0;
};

class Database {
 public:
  // Made if it is not there, for its owner alone.
  static Result<Database> open(const std::string& path);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  Result<void> execute(const char* sql);  // several statements, no values
  // `sql` is a literal: prepared once, then kept.
  Result<Statement> prepare(const char* sql);
  int changes() const;

  // What is committed survives the end of the process; with `power`, also that of the machine.
  Result<void> survive(bool power);

 private:
  struct State;
  explicit Database(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// From its begin() to commit(); undone when it is dropped before.
class Transaction {
 public:
  static Result<Transaction> begin(Database& database);
  Transaction(Transaction&& other) noexcept : database_(other.database_) { other.database_ = nullptr; }
  ~Transaction();
  Result<void> commit();

 private:
  explicit Transaction(Database& database) : database_(&database) {}
  Database* database_;
};

}  // namespace glovebox::store
