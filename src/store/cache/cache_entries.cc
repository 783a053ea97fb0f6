// Store's tables of cached results.
#include "base/try.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

constexpr const char* kColumns = "key, kind, principal, about, parts, bytes, created, expires, used, hits";

CacheEntry read_entry(const Statement& row) {
  CacheEntry entry;
  entry.key = row.text(0);
  entry.kind = row.text(1);
  entry.principal = row.text(2);
  entry.about = row.text(3);
  entry.parts = row.text(4);
  entry.bytes = row.number(5);
  entry.created = row.number(6);
  entry.expires = row.number(7);
  entry.used = row.number(8);
  entry.hits = row.number(9);
  return entry;
}

Result<void> count(Database& database, const char* name, std::int64_t more) {
  if (more == 0) return {};
  auto update = GLOVEBOX_TRY(
      database.prepare("INSERT INTO cache_counts (name, count) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET count = "
                       "cache_counts.count + excluded.count"));
  return update.bind(std::string_view(name)).bind(more).run();
}

// Totals over all entries, kept beside the counts: summing would read every entry.
struct Totals {
  std::int64_t entries = 0;
  std::int64_t bytes = 0;
};

Result<Totals> read_totals(Database& database) {
  Totals totals;
  int known = 0;
  {
    auto rows = GLOVEBOX_TRY(database.prepare("SELECT name, count FROM cache_counts WHERE name IN (?, ?)"));
    rows.bind(std::string_view("entries")).bind(std::string_view("bytes"));
    for (; GLOVEBOX_TRY(rows.step()); ++known)
      (rows.text(0) == "entries" ? totals.entries : totals.bytes) = rows.number(1);
  }
  if (known == 2) return totals;
  // A store of a former version has no totals yet.
  auto row =
      GLOVEBOX_TRY(database.prepare("SELECT count(*), CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM cache_entries"));
  if (GLOVEBOX_TRY(row.step())) totals = {row.number(0), row.number(1)};
  return totals;
}

Result<void> write_totals(Database& database, const Totals& totals) {
  const std::pair<std::string_view, std::int64_t> rows[] = {{"entries", totals.entries}, {"bytes", totals.bytes}};
  for (const auto& [name, number] : rows) {
    auto update = GLOVEBOX_TRY(database.prepare(
        "INSERT INTO cache_counts (name, count) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET count = "
        "excluded.count"));
    GLOVEBOX_TRY_VOID(update.bind(name).bind(number).run());
  }
  return {};
}

// Returns when it would have expired; nothing where there is none.
Result<std::optional<std::int64_t>> remove_one(Database& database, const char* sql, const std::string& key,
                                               Totals& totals) {
  auto row = GLOVEBOX_TRY(database.prepare(sql));
  if (!GLOVEBOX_TRY(row.bind(key).step())) return std::optional<std::int64_t>();
  --totals.entries;
  totals.bytes -= row.number(0);
  return std::optional(row.number(1));
}

}  // namespace

Result<std::optional<CacheEntry>> Store::find_cached(const std::string& key) {
  return read([&]() -> Result<std::optional<CacheEntry>> {
    static const std::string sql = std::string("SELECT ") + kColumns + ", value FROM cache_entries WHERE key = ?";
    auto row = GLOVEBOX_TRY(database_->prepare(sql.c_str()));
    if (!GLOVEBOX_TRY(row.bind(key).step())) return std::optional<CacheEntry>();
    CacheEntry entry = read_entry(row);
    entry.value = row.text(10);
    return std::optional(std::move(entry));
  });
}

Result<void> Store::note_cache_hit(const std::string& key, std::int64_t now, std::int64_t misses) {
  return write({"note_cache_hit"}, [&]() -> Result<void> {
    {
      auto update =
          GLOVEBOX_TRY(database_->prepare("UPDATE cache_entries SET used = ?, hits = hits + 1 WHERE key = ?"));
      GLOVEBOX_TRY_VOID(update.bind(now).bind(key).run());
    }
    GLOVEBOX_TRY_VOID(count(*database_, "hits", 1));
    return count(*database_, "misses", misses);
  });
}

Result<void> Store::keep_cached(const CacheEntry& entry, std::int64_t most_entries, std::int64_t most_bytes,
                                std::int64_t misses) {
  // Serialized: two that make room at once would wait for each other's rows.
  return write({"keep_cached", false, "cache"}, [&]() -> Result<void> {
    Totals totals = GLOVEBOX_TRY(read_totals(*database_));
    GLOVEBOX_TRY(
        remove_one(*database_, "DELETE FROM cache_entries WHERE key = ? RETURNING bytes, expires", entry.key, totals));
    {
      auto insert = GLOVEBOX_TRY(
          database_->prepare("INSERT INTO cache_entries (key, kind, principal, about, value, parts, bytes, created, "
                             "expires, used, hits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0)"));
      insert.bind(entry.key).bind(entry.kind).bind(entry.principal).bind(entry.about).bind(entry.value);
      insert.bind(entry.parts).bind(entry.bytes).bind(entry.created).bind(entry.expires);
      GLOVEBOX_TRY_VOID(insert.bind(entry.used).run());
    }
    ++totals.entries;
    totals.bytes += entry.bytes;
    // The least recently used are evicted until the rest fits; the new one fits by itself, and stays.
    std::int64_t evicted = 0;
    while (totals.entries > most_entries || totals.bytes > most_bytes) {
      const auto expires = GLOVEBOX_TRY(remove_one(
          *database_,
          "DELETE FROM cache_entries WHERE key = (SELECT key FROM cache_entries WHERE key <> ? ORDER BY used, "
          "created, key LIMIT 1) RETURNING bytes, expires",
          entry.key, totals));
      if (!expires) break;
      if (*expires > entry.created) ++evicted;
    }
    GLOVEBOX_TRY_VOID(write_totals(*database_, totals));
    GLOVEBOX_TRY_VOID(count(*database_, "evicted", evicted));
    GLOVEBOX_TRY_VOID(count(*database_, "kept", 1));
    return count(*database_, "misses", misses);
  });
}

Result<void> Store::drop_cached(const std::string& key) {
  return write({"drop_cached", false, "cache"}, [&]() -> Result<void> {
    Totals totals = GLOVEBOX_TRY(read_totals(*database_));
    GLOVEBOX_TRY(
        remove_one(*database_, "DELETE FROM cache_entries WHERE key = ? RETURNING bytes, expires", key, totals));
    return write_totals(*database_, totals);
  });
}

Result<std::size_t> Store::purge_cache() {
  return write({"purge_cache", false, "cache"}, [&]() -> Result<std::size_t> {
    auto statement = GLOVEBOX_TRY(database_->prepare("DELETE FROM cache_entries"));
    const auto removed = static_cast<std::size_t>(GLOVEBOX_TRY(statement.changed()));
    GLOVEBOX_TRY_VOID(write_totals(*database_, {}));
    return removed;
  });
}

Result<std::vector<CacheEntry>> Store::list_cached(std::int64_t now) {
  return read([&]() -> Result<std::vector<CacheEntry>> {
    static const std::string sql =
        std::string("SELECT ") + kColumns + " FROM cache_entries WHERE expires > ? ORDER BY used DESC, key";
    auto rows = GLOVEBOX_TRY(database_->prepare(sql.c_str()));
    rows.bind(now);
    std::vector<CacheEntry> entries;
    while (GLOVEBOX_TRY(rows.step())) entries.push_back(read_entry(rows));
    return entries;
  });
}

Result<CacheCounts> Store::cache_counts() {
  return read([&]() -> Result<CacheCounts> {
    auto rows = GLOVEBOX_TRY(database_->prepare("SELECT name, count FROM cache_counts"));
    CacheCounts counts;
    while (GLOVEBOX_TRY(rows.step())) {
      const std::string name = rows.text(0);
      if (name == "hits") counts.hits = rows.number(1);
      if (name == "misses") counts.misses = rows.number(1);
      if (name == "kept") counts.kept = rows.number(1);
      if (name == "evicted") counts.evicted = rows.number(1);
    }
    return counts;
  });
}

}  // namespace glovebox::store
