#include "store/upkeep/copy_rows.h"

#include <algorithm>
#include <mutex>
#include <set>
#include <sstream>

#include "base/try.h"
#include "store/database/sqlite.h"
#include "store/schema.h"

namespace glovebox::store {
namespace {

// A page of rows is in memory at once; a row may have megabytes.
constexpr std::size_t kPage = 64;
// Rows in one INSERT: fewer round trips.
constexpr std::size_t kRowsTogether = 16;

// A database caches prepared statements by the address of their text.
const char* kept_text(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string> texts;
  const std::lock_guard lock(mutex);
  return texts.insert(text).first->c_str();
}

std::vector<std::string> names_in(const char* list) {
  std::vector<std::string> names;
  std::istringstream words(list);
  for (std::string name; std::getline(words >> std::ws, name, ',');) names.push_back(name);
  return names;
}

std::string quoted(const std::string& name) {
  return '"' + name + '"';
}

std::string joined(const std::vector<StoredColumn>& columns) {
  std::string text;
  for (const StoredColumn& column : columns) text += (text.empty() ? "" : ", ") + quoted(column.name);
  return text;
}

std::string repeated(const std::string& what, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += (i > 0 ? ", " : "") + what;
  return text;
}

struct Value {
  std::string text;
  std::optional<std::int64_t> number;
};
using Row = std::vector<Value>;

class TableCopy {
 public:
  TableCopy(Database& from, Database& to, const StoredTable& table, std::vector<StoredColumn> columns)
      : from_(from), to_(to), columns_(std::move(columns)) {
    const auto keys = names_in(table.key);
    std::vector<StoredColumn> key_columns;
    for (const std::string& key : keys) {
      const auto found = std::find_if(columns_.begin(), columns_.end(),
                                      [&](const StoredColumn& column) { return column.name == key; });
      keys_.push_back(static_cast<std::size_t>(found - columns_.begin()));
      key_columns.push_back(*found);
    }
    const std::string order = joined(key_columns);
    const std::string select = "SELECT " + joined(columns_) + " FROM " + table.name;
    const std::string end = " ORDER BY " + order + " LIMIT " + std::to_string(kPage);
    first_page_ = kept_text(select + end);
    next_page_ = kept_text(select + " WHERE (" + order + ") > (" + repeated("?", keys.size()) + ")" + end);
    const std::string insert = std::string("INSERT INTO ") + table.name + " (" + joined(columns_) + ") " +
                               (table.has_own_ids ? "{with ids} " : "") + "VALUES ";
    const std::string values = "(" + repeated("?", columns_.size()) + ")";
    insert_one_ = kept_text(insert + values);
    insert_many_ = kept_text(insert + repeated(values, kRowsTogether));
  }

  Result<void> run(const std::function<void(std::size_t)>& copied) {
    std::vector<Row> page = GLOVEBOX_TRY(read_page(nullptr));
    while (!page.empty()) {
      GLOVEBOX_TRY_VOID(insert(page));
      if (copied) copied(page.size());
      if (page.size() < kPage) break;
      const Row last = std::move(page.back());
      page = GLOVEBOX_TRY(read_page(&last));
    }
    return {};
  }

 private:
  void bind(Statement& statement, std::size_t column, const Value& value) const {
    if (columns_[column].is_number) {
      statement.bind(value.number);
    } else if (columns_[column].is_blob) {
      statement.bind_blob(value.text);
    } else {
      statement.bind(value.text);
    }
  }

  Result<std::vector<Row>> read_page(const Row* after) {
    auto rows = GLOVEBOX_TRY(from_.prepare(after ? next_page_ : first_page_));
    for (std::size_t i = 0; after && i < keys_.size(); ++i) bind(rows, keys_[i], (*after)[keys_[i]]);
    std::vector<Row> page;
    while (GLOVEBOX_TRY(rows.step())) {
      Row row(columns_.size());
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        const int column = static_cast<int>(i);
        // A text that is null, such as the outcome of a run that has not ended, is read as empty everywhere.
        if (!columns_[i].is_number) row[i].text = rows.text(column);
        if (columns_[i].is_number && !rows.is_null(column)) row[i].number = rows.number(column);
      }
      page.push_back(std::move(row));
    }
    return page;
  }

  Result<void> insert(const std::vector<Row>& page) {
    for (std::size_t at = 0; at < page.size();) {
      const std::size_t rows = page.size() - at >= kRowsTogether ? kRowsTogether : 1;
      auto statement = GLOVEBOX_TRY(to_.prepare(rows == 1 ? insert_one_ : insert_many_));
      for (std::size_t row = at; row < at + rows; ++row) {
        for (std::size_t i = 0; i < columns_.size(); ++i) bind(statement, i, page[row][i]);
      }
      GLOVEBOX_TRY_VOID(statement.run());
      at += rows;
    }
    return {};
  }

  Database& from_;
  Database& to_;
  std::vector<StoredColumn> columns_;
  std::vector<std::size_t> keys_;
  const char* first_page_;
  const char* next_page_;
  const char* insert_one_;
  const char* insert_many_;
};

}  // namespace

// The schema is written in SQLite's dialect, so SQLite itself is asked for the columns.
Result<StoredColumns> stored_columns() {
  const auto scratch = GLOVEBOX_TRY(SqliteDatabase::in_memory());
  for (const char* step : kMigrations) GLOVEBOX_TRY_VOID(scratch->execute(step));
  auto rows = GLOVEBOX_TRY(
      scratch->prepare("SELECT tables.name, columns.name, columns.type FROM sqlite_schema AS tables, "
                       "pragma_table_info(tables.name) AS columns WHERE tables.type = 'table' AND tables.name NOT LIKE "
                       "'sqlite_%' ORDER BY 1, columns.cid"));
  StoredColumns columns;
  while (GLOVEBOX_TRY(rows.step()))
    columns[rows.text(0)].push_back({rows.text(1), rows.text(2) == "INTEGER", rows.text(2) == "BLOB"});
  return columns;
}

Result<std::int64_t> count_rows(Database& from, const StoredTable& table) {
  auto row = GLOVEBOX_TRY(from.prepare(kept_text(std::string("SELECT count(*) FROM ") + table.name)));
  return GLOVEBOX_TRY(row.step()) ? row.number(0) : 0;
}

Result<void> copy_rows(Database& from, Database& to, const StoredTable& table, const StoredColumns& columns,
                       const std::function<void(std::size_t)>& copied) {
  return TableCopy(from, to, table, columns.at(table.name)).run(copied);
}

}  // namespace glovebox::store
