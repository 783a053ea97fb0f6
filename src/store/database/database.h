// A database as the store speaks to it: statements with ? for their values, and work that is done as a whole. SQLite
// and PostgreSQL are two; what they call by different names stands in braces (see dialect.h).
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

// What is behind a Statement. Columns count from 0.
class Query {
 public:
  virtual ~Query() = default;
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

// One prepared statement, bound and stepped through once. Texts that are bound must live until it is done.
//
// Within a write, what need not be answered is not waited for: it goes to the database together with what follows, at
// the latest with the commit. Where it fails, all that follows does, and so does the write.
class Statement {
 public:
  explicit Statement(std::unique_ptr<Query> query) : query_(std::move(query)) {}

  Statement& bind(std::string_view text);
  Statement& bind(std::int64_t number);
  Statement& bind(std::optional<std::int64_t> number);
  Statement& bind_blob(std::string_view bytes);

  // Whether there is a row.
  Result<bool> step() { return query_->step(); }
  // For what gives no rows.
  Result<void> run() { return query_->run(); }
  // Within a write: where this gives no row, the write fails, and with `otherwise`.
  Result<void> require(Failure otherwise) { return query_->require(std::move(otherwise)); }
  // For what gives no rows, and how many it has changed.
  Result<std::int64_t> changed() { return query_->changed(); }

  std::string text(int column) const { return query_->text(column); }
  std::int64_t number(int column) const { return query_->number(column); }
  bool is_null(int column) const { return query_->is_null(column); }

 private:
  std::unique_ptr<Query> query_;
};

// One line for people, of something that may take minutes. May be empty.
using Progress = std::function<void(const std::string& line)>;

class Database {
 public:
  virtual ~Database() = default;

  // `sql` lives as long as the database does: prepared once, then kept.
  virtual Result<Statement> prepare(const char* sql) = 0;
  // Several statements without values, in the database's own words.
  virtual Result<void> execute(const std::string& sql) = 0;

  struct Write {
    const char* what;             // for failpoints
    bool survives_power = false;  // else the end of the process only
    std::string_view lock;        // writers that name the same one follow each other; with SQLite all do
    bool takes_long = false;      // no statement of it is given up because of the time that it takes
  };
  // What `work` does is there as a whole when this has succeeded, and not at all when it has failed. It may be called
  // more than once: a connection that is lost is made anew.
  virtual Result<void> write(const Write& write, const std::function<Result<void>()>& work) = 0;
  virtual Result<void> read(const std::function<Result<void>()>& work) = 0;
  // All that `work` reads is of one moment, and it may take as long as it takes. It is called once.
  virtual Result<void> read_one_moment(const std::function<Result<void>()>& work) = 0;
  // Whether the last failure may be over in a while: a server that is away, a full disk.
  virtual bool may_recover() const = 0;
  // Whether the next call has to make the connection anew, which takes its time.
  virtual bool is_lost() const { return false; }
  // Since when there is a connection again after one was lost; nothing: none ever was.
  virtual std::optional<std::chrono::steady_clock::time_point> back_since() const { return std::nullopt; }
  // Within a write, another lock.
  virtual Result<void> lock(std::string_view name) = 0;
  // Within a write: whoever listens is woken when it is committed.
  virtual Result<void> wake_others() = 0;

  // What the database itself finds wrong with what it keeps.
  virtual Result<std::vector<std::string>> look_for_damage() = 0;
  // Whether it can copy itself to a file; else whoever asks reads all of it.
  virtual bool copies_itself() const = 0;
  // All of it as it is now, to a file that is not there yet.
  virtual Result<void> copy_to(const std::string& path) = 0;
  // On its disk.
  virtual Result<std::int64_t> bytes() = 0;
  // Gives free space back to the file system, all that can be had; others may have to wait for it.
  virtual Result<void> vacuum() = 0;
  // A small part of it, in a few milliseconds. Whether there is more worth giving back.
  virtual Result<bool> give_back_some() { return false; }

  // The steps of the schema, in the database's own words.
  virtual std::string in_own_words(std::string_view schema) const = 0;
  // Within a write, before the schema of `version` is changed; what is there can be had back. Says how far it is.
  virtual Result<void> back_up(std::int64_t version, const Progress& progress) = 0;
};

}  // namespace glovebox::store
