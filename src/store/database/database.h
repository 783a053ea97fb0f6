// A database as the store uses it: statements with ? for their values, and transactions. There are two, SQLite and
// PostgreSQL; what they name differently is written in braces (see dialect.h).
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::store {

// The implementation behind a Statement. Columns count from 0.
class DatabaseQuery {
 public:
  virtual ~DatabaseQuery() = default;
  virtual void bind_text(std::string_view text) = 0;
  virtual void bind_blob(std::string_view bytes) = 0;
  virtual void bind_number(std::optional<std::int64_t> number) = 0;
  virtual Result<bool> step() = 0;
  // See Statement.
  virtual Result<void> run() = 0;
  virtual Result<void> require(Failure otherwise) = 0;
  virtual Result<std::int64_t> changed() = 0;
  virtual std::string text(int column) const = 0;
  virtual std::int64_t number(int column) const = 0;
  virtual bool is_null(int column) const = 0;
};

// One prepared statement, bound and stepped through once. Bound texts must outlive it.
//
// Within a write, a statement whose result is not needed is not waited for: it is sent together with what follows, at
// the latest with the commit. If it fails, all that follows fails, and so does the write.
class Statement {
 public:
  explicit Statement(std::unique_ptr<DatabaseQuery> query) : query_(std::move(query)) {}

  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind(std::optional<std::int64_t> number);
  Statement& bind_blob(std::string_view bytes);

  // Whether there is a row.
  Result<bool> step() { return query_->step(); }
  // For statements without rows.
  Result<void> run() { return query_->run(); }
  // Within a write: if this returns no row, the write fails with `otherwise`.
  Result<void> require(Failure otherwise) { return query_->require(std::move(otherwise)); }
  // For statements without rows; returns how many rows it changed.
  Result<std::int64_t> changed() { return query_->changed(); }

  std::string text(int column) const { return query_->text(column); }
  std::int64_t number(int column) const { return query_->number(column); }
  bool is_null(int column) const { return query_->is_null(column); }

 private:
  std::unique_ptr<DatabaseQuery> query_;
};

// Called with one line for people during something that may take minutes. May be empty.
using Progress = std::function<void(const std::string& line)>;

class Database {
 public:
  virtual ~Database() = default;

  // `sql` must outlive the database: it is prepared once, then kept.
  virtual Result<Statement> prepare(const char* sql) = 0;
  // Several statements without values, in the database's own dialect.
  virtual Result<void> execute(const std::string& sql) = 0;

  struct Write {
    const char* what;             // for failpoints
    bool survives_power = false;  // else only the end of the process
    std::string_view lock;        // writes that name the same lock are serialized; with SQLite all are
    bool takes_long = false;      // its statements have no time limit
  };
  // All of `work` is committed when this has succeeded, and nothing when it has failed. `work` may be called more than
  // once: a lost connection is made again.
  virtual Result<void> write(const Write& write, const std::function<Result<void>()>& work) = 0;
  virtual Result<void> read(const std::function<Result<void>()>& work) = 0;
  // All that `work` reads is from one snapshot, without a time limit. It is called once.
  virtual Result<void> read_one_moment(const std::function<Result<void>()>& work) = 0;
  // Whether the last failure may pass: a server that is away, a full disk.
  virtual bool may_recover() const = 0;
  // Whether the next call has to reconnect, which takes time.
  virtual bool is_lost() const { return false; }
  // When the connection was re-established after a loss; nothing: it was never lost.
  virtual std::optional<std::chrono::steady_clock::time_point> back_since() const { return std::nullopt; }
  // Within a write, takes another lock.
  virtual Result<void> lock(std::string_view name) = 0;
  // Within a write: listeners are woken when it is committed.
  virtual Result<void> wake_others() = 0;

  // Damage that the database's own checks find.
  virtual Result<std::vector<std::string>> find_damage() = 0;
  // Whether it can copy itself to a file; else the caller reads all rows.
  virtual bool copies_itself() const = 0;
  // Copies all of it as it is now, to a file that does not exist yet.
  virtual Result<void> copy_to(const std::string& path) = 0;
  // Its size on disk.
  virtual Result<std::int64_t> bytes() = 0;
  // Gives all free space that it can back to the file system; others may have to wait for it.
  virtual Result<void> vacuum() = 0;
  // Gives back a small part, in a few milliseconds. Returns whether there is more worth giving back.
  virtual Result<bool> give_back_some() { return false; }

  // The steps of the schema, in the database's own dialect.
  virtual std::string in_own_words(std::string_view schema) const = 0;
  // Within a write, before the schema of `version` is changed: keeps a copy that can be restored, and reports progress.
  virtual Result<void> back_up(std::int64_t version, const Progress& progress) = 0;
};

}  // namespace glovebox::store
