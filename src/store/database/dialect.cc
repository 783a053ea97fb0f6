#include "store/database/dialect.h"

#include <array>
#include <utility>

#include "base/characters/ascii.h"

namespace glovebox::store {
namespace {

using Words = std::pair<std::string_view, std::string_view>;

constexpr std::array kSqlite = {
    Words{"{now}", "CAST((julianday('now') - 2440587.5) * 86400000 AS INTEGER)"},
    Words{"{for update}", ""},
    Words{"{skip locked}", ""},
    Words{"{share}", ""},
    Words{"{with ids}", ""},
};

constexpr std::array kPostgres = {
    Words{"{now}", "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"},
    Words{"{for update}", "FOR UPDATE"},
    Words{"{skip locked}", "FOR UPDATE SKIP LOCKED"},
    Words{"{share}", "FOR KEY SHARE"},
    Words{"{with ids}", "OVERRIDING SYSTEM VALUE"},
};

// Order matters: the longer first.
constexpr std::array kPostgresTypes = {
    Words{"INTEGER PRIMARY KEY AUTOINCREMENT", "BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY"},
    Words{"INTEGER", "BIGINT"},
    Words{"TEXT", "BYTEA"},
    Words{"BLOB", "BYTEA"},
    Words{" WITHOUT ROWID", ""},
};

template <typename Table>
std::string replaced(std::string_view text, const Table& table) {
  std::string made;
  made.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    bool found = false;
    for (const auto& [from, to] : table) {
      if (text.substr(at, from.size()) != from) continue;
      made += to;
      at += from.size();
      found = true;
      break;
    }
    if (!found) made += text[at++];
  }
  return made;
}

}  // namespace

std::string sqlite_words(std::string_view sql) {
  return replaced(sql, kSqlite);
}

std::string postgres_words(std::string_view sql) {
  const std::string words = replaced(sql, kPostgres);
  std::string made;
  int next = 1;
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (words[at] != '?') {
      made += words[at];
      continue;
    }
    made += '$';
    const bool numbered = at + 1 < words.size() && base::is_digit(words[at + 1]);
    if (!numbered) made += std::to_string(next++);
  }
  return made;
}

std::string postgres_schema(std::string_view schema) {
  return replaced(schema, kPostgresTypes);
}

}  // namespace glovebox::store
