// Store's table of runs.
#include "base/text/utf8.h"
#include "store/journals.h"
#include "store/rows/run_row.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

constexpr const char* kRunColumns =
    "id, created, ended, status, language, name, config, seed, now, client, session, owner, intent, journaled, "
    "cancel_asked";
// The same for a list of many: clients choose how long the others are.
constexpr const char* kListedColumns =
    "id, created, ended, status, language, name, substr(config, 1, 0), seed, now, client, session, owner, "
    "substr(intent, 1, 601), journaled, cancel_asked";
constexpr std::size_t kMostListedIntent = 600;

Result<RunRecord> read_run(const Statement& row) {
  auto run = GLOVEBOX_TRY(read_first_columns<RunRecord>(row));
  run.name = row.text(5);
  run.config = row.text(6);
  run.seed = row.text(7);
  run.now = row.number(8);
  run.client = row.text(9);
  run.session = row.text(10);
  run.owner = row.text(11);
  run.intent = row.text(12);
  run.journaled = row.number(13) != 0;
  run.cancel_asked = row.number(14) != 0;
  return run;
}

Result<std::vector<RunRecord>> read_runs(Statement& rows) {
  std::vector<RunRecord> runs;
  while (GLOVEBOX_TRY(rows.step())) runs.push_back(GLOVEBOX_TRY(read_run(rows)));
  return runs;
}

}  // namespace

Result<void> Store::add_run(const RunRecord& run) {
  return write({"add_run", false}, [&]() -> Result<void> {
    auto insert = GLOVEBOX_TRY(database_->prepare(
        "INSERT INTO runs (id, created, status, code, language, name, context, config, seed, now, client, session, "
        "owner, intent, audit_head, bytes, holder, digest) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, "
        "?)"));
    const std::string digest = seal_.of(run);
    insert.bind(run.id).bind(run.created).bind(name_of(run.status)).bind(run.code).bind(run.language).bind(run.name);
    insert.bind(run.context).bind(run.config).bind(run.seed).bind(run.now).bind(run.client).bind(run.session);
    insert.bind(run.owner).bind(run.intent).bind(run.audit_head);
    const std::size_t bytes = run.code.size() + run.context.size() + run.config.size() + run.intent.size();
    insert.bind(static_cast<std::int64_t>(bytes)).bind(run.holder);
    return insert.bind(digest).run();
  });
}

Result<void> Store::set_status(const std::string& run, RunStatus status) {
  return write({"set_status", false, run}, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(check_owner(run));
    auto update = GLOVEBOX_TRY(database_->prepare("UPDATE runs SET status = ? WHERE id = ? AND ended IS NULL"));
    return update.bind(name_of(status)).bind(run).run();
  });
}

Result<void> Store::end_run(const std::string& run, RunStatus status, const std::string& outcome, std::int64_t at,
                            const RunRemains& remains) {
  std::int64_t bytes = static_cast<std::int64_t>(outcome.size());
  for (const Artifact& artifact : remains.artifacts) bytes += static_cast<std::int64_t>(artifact.bytes().size());
  // Answers to its approval requests and its end are serialized by this lock.
  const std::string_view lock = remains.has_asked ? std::string_view(run) : std::string_view();
  const auto ended = write({"end_run", false, lock}, [&]() -> Result<void> {
    {
      auto update = GLOVEBOX_TRY(database_->prepare(
          "UPDATE runs SET status = ?1, outcome = ?2, ended = ?3, bytes = bytes + ?4, audit_head = CASE WHEN ?5 = '' "
          "THEN audit_head ELSE ?5 END, journaled = CASE WHEN ?6 = 1 THEN journaled ELSE 0 END WHERE id = ?7 AND (?8 = "
          "'' OR owner = ?8) RETURNING 1"));
      update.bind(name_of(status)).bind(outcome).bind(at).bind(bytes).bind(remains.audit_head);
      update.bind(remains.journal ? 1 : 0).bind(run).bind(node_);
      GLOVEBOX_TRY_VOID(update.require(not_ours(run)));
    }
    if (remains.has_journal && !remains.journal) GLOVEBOX_TRY_VOID(delete_entries(*database_, run));
    GLOVEBOX_TRY_VOID(write_artifacts(run, remains.artifacts));
    if (!remains.trace.spans.empty()) GLOVEBOX_TRY_VOID(write_trace(run, remains.trace.trace, remains.trace.spans));
    for (const char* sql : {"DELETE FROM rules WHERE scope = 'run' AND key = ?",
                            "UPDATE approvals SET state = 'withdrawn' WHERE run = ? AND state = 'pending'"}) {
      if (!remains.has_asked) break;
      auto statement = GLOVEBOX_TRY(database_->prepare(sql));
      GLOVEBOX_TRY_VOID(statement.bind(run).run());
    }
    if (!remains.recording) return {};
    auto insert =
        GLOVEBOX_TRY(database_->prepare("INSERT INTO recordings VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"));
    insert.bind(run)
        .bind(remains.recording->calls)
        .bind(remains.recording->servers)
        .bind(remains.recording->definitions);
    return insert.bind(static_cast<std::int64_t>(remains.recording->calls.size())).run();
  });
  if (ended || ended.failure().code != ErrorCode::kConflict || together_) return ended;
  // A run that was never written cannot have its end written either: that is no failure.
  const auto there = GLOVEBOX_TRY(find_run(run));
  return there ? ended : Result<void>();
}

Result<std::optional<RecordingRecord>> Store::find_recording(const std::string& run) {
  return read([&]() -> Result<std::optional<RecordingRecord>> {
    auto row = GLOVEBOX_TRY(database_->prepare("SELECT calls, servers, definitions FROM recordings WHERE run = ?"));
    if (!GLOVEBOX_TRY(row.bind(run).step())) return std::optional<RecordingRecord>();
    return std::optional(RecordingRecord{row.text(0), row.text(1), row.text(2)});
  });
}

Result<std::optional<RunRecord>> Store::read_whole_run(const std::string& id) {
  static const std::string sql = std::string("SELECT ") + kRunColumns +
                                 ", code, context, coalesce(outcome, ''), digest, holder FROM runs WHERE id = ?";
  auto row = GLOVEBOX_TRY(database_->prepare(sql.c_str()));
  if (!GLOVEBOX_TRY(row.bind(id).step())) return std::optional<RunRecord>();
  RunRecord run = GLOVEBOX_TRY(read_run(row));
  run.code = row.text(15);
  run.context = row.text(16);
  run.outcome = row.text(17);
  run.is_ours = row.text(18) == seal_.of(run);
  run.holder = row.text(19);
  return std::optional(std::move(run));
}

Result<std::optional<RunRecord>> Store::find_run(const std::string& id) {
  return read([&] { return read_whole_run(id); });
}

Result<std::optional<RunRecord>> Store::find_run_in_short(const std::string& id) {
  return read([&]() -> Result<std::optional<RunRecord>> {
    static const std::string sql = std::string("SELECT ") + kRunColumns + " FROM runs WHERE id = ?";
    auto row = GLOVEBOX_TRY(database_->prepare(sql.c_str()));
    if (!GLOVEBOX_TRY(row.bind(id).step())) return std::optional<RunRecord>();
    return std::optional(GLOVEBOX_TRY(read_run(row)));
  });
}

Result<std::string> Store::outcome_of(const std::string& run) {
  return read([&]() -> Result<std::string> {
    auto row = GLOVEBOX_TRY(database_->prepare("SELECT coalesce(outcome, '') FROM runs WHERE id = ?"));
    if (!GLOVEBOX_TRY(row.bind(run).step())) return std::string();
    return row.text(0);
  });
}

Result<std::vector<RunRecord>> Store::list_runs(std::optional<RunStatus> status, std::size_t most,
                                                const std::string& client, std::int64_t before) {
  return read([&]() -> Result<std::vector<RunRecord>> {
    static const std::string sql = std::string("SELECT ") + kListedColumns +
                                   " FROM runs WHERE (?1 = '' OR status = ?1) AND (?3 = '' OR client = ?3) AND "
                                   "created < ?4 ORDER BY created DESC, id LIMIT ?2";
    auto rows = GLOVEBOX_TRY(database_->prepare(sql.c_str()));
    rows.bind(status ? name_of(*status) : std::string_view())
        .bind(static_cast<std::int64_t>(most))
        .bind(client)
        .bind(before);
    auto runs = GLOVEBOX_TRY(read_runs(rows));
    for (RunRecord& run : runs) run.intent.resize(base::beginning_of(run.intent, kMostListedIntent).size());
    return runs;
  });
}

Result<std::vector<RunRecord>> Store::unended_runs() {
  return read([&]() -> Result<std::vector<RunRecord>> {
    static const std::string sql =
        std::string("SELECT ") + kListedColumns + " FROM runs WHERE ended IS NULL ORDER BY owner, created";
    auto rows = GLOVEBOX_TRY(database_->prepare(sql.c_str()));
    return read_runs(rows);
  });
}

Result<std::size_t> Store::unended_bytes(const std::string& owner) {
  return read([&]() -> Result<std::size_t> {
    auto row = GLOVEBOX_TRY(database_->prepare(
        "SELECT CAST(coalesce(sum(bytes), 0) AS BIGINT) FROM runs WHERE ended IS NULL AND substr(owner, 1, "
        "length(?1)) = ?1"));
    const bool counted = GLOVEBOX_TRY(row.bind(owner).step());
    return counted ? static_cast<std::size_t>(row.number(0)) : 0;
  });
}

Result<bool> Store::take_over(const std::string& run, const std::string& from, const std::string& to) {
  return write({"take_over", true, run}, [&]() -> Result<bool> {
    const auto whole = GLOVEBOX_TRY(read_whole_run(run));
    if (whole && !whole->is_ours) {
      tell_wrong_row("run " + run);
      return false;
    }
    auto update =
        GLOVEBOX_TRY(database_->prepare("UPDATE runs SET owner = ?1 WHERE id = ?2 AND owner = ?3 AND ended IS NULL AND "
                                        "NOT EXISTS (SELECT 1 FROM nodes WHERE id = ?3)"));
    return GLOVEBOX_TRY(update.bind(to).bind(run).bind(from).changed()) == 1;
  });
}

Result<bool> Store::ask_to_cancel(const std::string& run) {
  return write({"ask_to_cancel", true, run}, [&]() -> Result<bool> {
    auto update = GLOVEBOX_TRY(database_->prepare("UPDATE runs SET cancel_asked = 1 WHERE id = ? AND ended IS NULL"));
    const bool asked = GLOVEBOX_TRY(update.bind(run).changed()) == 1;
    if (asked) GLOVEBOX_TRY_VOID(database_->wake_others());
    return asked;
  });
}

Result<std::vector<std::string>> Store::runs_to_cancel(const std::string& owner) {
  return read([&]() -> Result<std::vector<std::string>> {
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT id FROM runs WHERE ended IS NULL AND owner = ? AND cancel_asked <> 0 ORDER BY created"));
    rows.bind(owner);
    std::vector<std::string> runs;
    while (GLOVEBOX_TRY(rows.step())) runs.push_back(rows.text(0));
    return runs;
  });
}

}  // namespace glovebox::store
