// Store's tables of journals and of calls begun.
#include "store/journals.h"

#include "store/damage.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

// Only if `owner` owns the run; an empty owner skips the check.
Result<void> insert_entry(Database& database, const std::string& run, std::uint64_t sequence, const JournalEntry& entry,
                          const std::string& owner, Failure otherwise) {
  auto insert = GLOVEBOX_TRY(
      database.prepare("INSERT INTO journal (run, seq, kind, call, op, digest, frames, arguments, body_digest) SELECT "
                       "?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9 FROM runs WHERE id = ?1 AND (?10 = '' OR owner = ?10) "
                       "RETURNING 1"));
  insert.bind(run).bind(static_cast<std::int64_t>(sequence)).bind(static_cast<std::int64_t>(entry.kind));
  insert.bind(static_cast<std::int64_t>(entry.call_id)).bind(entry.op).bind(entry.digest).bind_blob(entry.frames);
  return insert.bind(entry.arguments).bind(entry.body_digest).bind(owner).require(std::move(otherwise));
}

Result<void> insert_begun(Database& database, const std::string& run, std::uint64_t call) {
  auto insert = GLOVEBOX_TRY(database.prepare("INSERT INTO calls_begun VALUES (?, ?) ON CONFLICT DO NOTHING"));
  return insert.bind(run).bind(static_cast<std::int64_t>(call)).run();
}

}  // namespace

Result<void> delete_journal(Database& database, const std::string& run) {
  {
    auto update = GLOVEBOX_TRY(database.prepare("UPDATE runs SET journaled = 0 WHERE id = ?"));
    GLOVEBOX_TRY_VOID(update.bind(run).run());
  }
  {
    auto remove = GLOVEBOX_TRY(database.prepare("DELETE FROM calls_begun WHERE run = ?"));
    GLOVEBOX_TRY_VOID(remove.bind(run).run());
  }
  return delete_entries(database, run);
}

Result<void> delete_entries(Database& database, const std::string& run) {
  auto remove = GLOVEBOX_TRY(database.prepare("DELETE FROM journal WHERE run = ?"));
  return remove.bind(run).run();
}

Result<void> Store::begin_journal(const std::string& run, const std::vector<JournalEntry>& entries,
                                  const std::vector<std::uint64_t>& calls_begun) {
  return write({"begin_journal", true}, [&]() -> Result<void> {
    {
      auto update = GLOVEBOX_TRY(
          database_->prepare("UPDATE runs SET journaled = 1 WHERE id = ?1 AND (?2 = '' OR owner = ?2) RETURNING 1"));
      GLOVEBOX_TRY_VOID(update.bind(run).bind(node_).require(not_ours(run)));
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      GLOVEBOX_TRY_VOID(insert_entry(*database_, run, i, entries[i], node_, not_ours(run)));
    }
    for (const std::uint64_t call : calls_begun) GLOVEBOX_TRY_VOID(insert_begun(*database_, run, call));
    return {};
  });
}

Result<void> Store::append_journal(const std::string& run, std::uint64_t sequence, const JournalEntry& entry) {
  return write({"append_journal", true},
               [&]() -> Result<void> { return insert_entry(*database_, run, sequence, entry, node_, not_ours(run)); });
}

Result<void> Store::mark_begun(const std::string& run, std::uint64_t call) {
  return write({"mark_begun", true}, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(check_owner(run));
    return insert_begun(*database_, run, call);
  });
}

Result<void> Store::drop_journal(const std::string& run) {
  return write({"drop_journal", true, run}, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(check_owner(run));
    return delete_journal(*database_, run);
  });
}

Result<std::vector<JournalEntry>> Store::journal(const std::string& run) {
  return read([&]() -> Result<std::vector<JournalEntry>> {
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT seq, kind, call, op, digest, frames, arguments, body_digest FROM journal WHERE run = ? ORDER BY seq"));
    rows.bind(run);
    std::vector<JournalEntry> entries;
    while (GLOVEBOX_TRY(rows.step())) {
      const std::int64_t kind = rows.number(1);
      const bool known = kind == static_cast<std::int64_t>(JournalEntry::Kind::kCall) ||
                         kind == static_cast<std::int64_t>(JournalEntry::Kind::kReply);
      if (!known || rows.number(0) != static_cast<std::int64_t>(entries.size())) return damaged("entry of a journal");
      entries.push_back({static_cast<JournalEntry::Kind>(kind), static_cast<std::uint64_t>(rows.number(2)),
                         rows.text(3), rows.text(4), rows.text(5), rows.text(6), rows.text(7)});
    }
    return entries;
  });
}

Result<std::vector<std::uint64_t>> Store::calls_begun(const std::string& run) {
  return read([&]() -> Result<std::vector<std::uint64_t>> {
    auto rows = GLOVEBOX_TRY(database_->prepare("SELECT call FROM calls_begun WHERE run = ? ORDER BY call"));
    rows.bind(run);
    std::vector<std::uint64_t> calls;
    while (GLOVEBOX_TRY(rows.step())) calls.push_back(static_cast<std::uint64_t>(rows.number(0)));
    return calls;
  });
}

}  // namespace glovebox::store
