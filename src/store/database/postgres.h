// PostgreSQL: one connection, which is reconnected when it is lost.
//
// A write is one round trip, as long as nothing is read in the middle of it: statements are collected, and sent
// together as one transaction. A precondition (Statement::require) is a statement that fails if it does not hold.
//
// A write whose connection is lost is retried, and applied once: each writer has a row that counts its writes, and a
// write begins by counting itself. If the count is there already, the write was committed before the connection was
// lost; if a transaction that was left behind is still under way, its row is locked and the new one waits for its end.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "store/database/database.h"
#include "store/database/postgres_connection.h"

namespace glovebox::store {

class PostgresDatabase final : public Database {
 public:
  // Its tables are in a schema "glovebox" of their own, which is made if need be.
  static Result<std::unique_ptr<PostgresDatabase>> open(const std::string& address);
  ~PostgresDatabase() override;

  Result<Statement> prepare(const char* sql) override;
  Result<void> execute(const std::string& sql) override;
  Result<void> write(const Write& write, const std::function<Result<void>()>& work) override;
  Result<void> read(const std::function<Result<void>()>& work) override;
  Result<void> read_one_moment(const std::function<Result<void>()>& work) override;
  bool may_recover() const override { return is_lost() || connection_->may_pass(); }
  bool is_lost() const override { return !connection_ || connection_->lost(); }
  std::optional<std::chrono::steady_clock::time_point> back_since() const override { return back_since_; }
  Result<void> lock(std::string_view name) override;
  Result<void> wake_others() override;
  std::string in_own_words(std::string_view schema) const override;
  Result<void> back_up(std::int64_t version, const Progress& progress) override;
  Result<std::vector<std::string>> find_damage() override { return std::vector<std::string>(); }
  bool copies_itself() const override { return false; }
  Result<void> copy_to(const std::string& path) override;
  Result<std::int64_t> bytes() override;
  Result<void> vacuum() override;

  // For tests: the connection is cut as if the network were gone.
  void cut_connection() { connection_.reset(); }
  // For tests: how long a server may be away, for machines that start it slowly.
  void set_patience(std::chrono::milliseconds patience) { patience_ = patience; }

 private:
  class Rows;
  explicit PostgresDatabase(std::string address);
  Result<void> connect();
  Result<void> connected();
  Result<std::vector<std::string>> tables();
  Result<void> attempt(const Write& write, const std::function<Result<void>()>& work);
  const std::string& words(const char* sql, bool required);
  PostgresStatement count() const;
  // The same statement, with the count of this write added.
  PostgresStatement counting(PostgresStatement required);
  // Within a write: sent with what follows.
  void send_later(PostgresStatement statement, std::optional<Failure> otherwise = std::nullopt);
  // Sent now, with all that waits. Returns its rows.
  Result<PostgresRows> send_now(PostgresStatement statement);
  Result<void> commit();
  Result<std::vector<PostgresRows>> send(std::vector<PostgresStatement> statements, std::size_t before);
  void roll_back();
  // Retries failures that may pass in a moment, until the server has been away for too long.
  Result<void> insist(const std::function<Result<void>()>& work);

  std::string address_;
  std::chrono::milliseconds patience_;
  std::string writer_;
  std::int64_t writes_ = 0;
  std::optional<PostgresConnection> connection_;
  std::map<std::pair<const char*, bool>, std::string> words_;
  std::map<const std::string*, std::string> counting_words_;
  bool writes_now_ = false;
  bool is_uncounted_ = false;                 // the write that is under way
  bool has_begun_ = false;                    // its transaction, by a statement of its own
  std::vector<PostgresStatement> waiting_;    // of the write that is under way
  std::map<std::size_t, Failure> otherwise_;  // for statements at these positions, if they return no row
  bool was_connected_ = false;
  std::optional<std::chrono::steady_clock::time_point> back_since_;
  std::chrono::steady_clock::time_point next_attempt_{};    // of a caller that does not wait
  std::chrono::steady_clock::time_point patience_until_{};  // while the server is away
  bool may_be_committed_ = false;                           // the write that is under way
  bool is_first_attempt_ = true;                            // of it
};

// Receives NOTIFY on a thread with a connection of its own; several may be reported as one.
class PostgresListener {
 public:
  PostgresListener(std::string address, std::function<void()> on_notice);
  ~PostgresListener();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace glovebox::store
