// SQLite: one connection with its prepared statements. sqlite3.h is not visible beyond this file's neighbour.
#pragma once

#include <memory>
#include <string>

#include "store/database/database.h"
#include "store/database/writer_turn.h"

namespace glovebox::store {

class SqliteDatabase final : public Database {
 public:
  // Made if it is not there, for its owner alone.
  static Result<std::unique_ptr<SqliteDatabase>> open(const std::string& path);
  // Private to this object, and gone with it.
  static Result<std::unique_ptr<SqliteDatabase>> in_memory();
  ~SqliteDatabase() override;

  Result<Statement> prepare(const char* sql) override;
  Result<void> execute(const std::string& sql) override;
  Result<void> write(const Write& write, const std::function<Result<void>()>& work) override;
  Result<void> read(const std::function<Result<void>()>& work) override;
  Result<void> read_one_moment(const std::function<Result<void>()>& work) override;
  bool may_recover() const override;
  Result<void> lock(std::string_view) override { return {}; }
  Result<void> wake_others() override { return {}; }
  std::string in_own_words(std::string_view schema) const override { return std::string(schema); }
  Result<void> back_up(std::int64_t version, const Progress& progress) override;
  bool copies_itself() const override { return true; }
  Result<std::int64_t> bytes() override;
  Result<void> vacuum() override;
  Result<bool> give_back_some() override;
  Result<std::vector<std::string>> find_damage() override;
  Result<void> copy_to(const std::string& path) override;

 private:
  struct State;
  explicit SqliteDatabase(std::unique_ptr<State> state);
  void note_failure();
  Result<WriterTurns::Turn> take_turn();
  std::unique_ptr<State> state_;
};

}  // namespace glovebox::store
