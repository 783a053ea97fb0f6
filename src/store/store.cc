#include "store/store.h"

#include <errno.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include "base/system_error.h"
#include "base/try.h"
#include "store/schema.h"

namespace glovebox::store {
namespace {

constexpr const char* kRunColumns =
    "id, created, ended, status, language, name, config, seed, now, client, session, owner, intent, journaled, "
    "cancel_asked";

Failure damaged(const char* what) {
  return {ErrorCode::kProtocol, std::string("the store is damaged: it holds an unknown ") + what};
}

Result<RunRecord> read_run(const Statement& row) {
  RunRecord run;
  run.id = row.text(0);
  run.created = row.number(1);
  if (!row.is_null(2)) run.ended = row.number(2);
  const auto status = run_status_of(row.text(3));
  if (!status) return damaged("status of a run");
  run.status = *status;
  run.language = row.text(4);
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

Result<ApprovalRecord> read_approval(const Statement& row) {
  using State = ApprovalRecord::State;
  ApprovalRecord approval{row.text(0), row.text(1), row.number(2), row.text(3), row.text(4), State::kPending, {}};
  const std::string state = row.text(5);
  for (const State known : {State::kPending, State::kAnswered, State::kWithdrawn}) {
    if (name_of(known) != state) continue;
    approval.state = known;
    return approval;
  }
  return damaged("state of an approval");
}

std::string join(const std::vector<std::uint64_t>& numbers) {
  std::string joined;
  for (const std::uint64_t number : numbers) joined.append(joined.empty() ? "" : " ").append(std::to_string(number));
  return joined;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(separator, at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

Result<AnswerRecord> read_answer(const Statement& row) {
  AnswerRecord answer;
  answer.id = row.number(0);
  answer.approval = row.text(1);
  answer.run = row.text(2);
  for (const std::string& number : split(row.text(3), ' ')) {
    std::uint64_t call = 0;
    std::from_chars(number.data(), number.data() + number.size(), call);
    answer.calls.push_back(call);
  }
  answer.who = row.text(4);
  answer.channel = row.text(5);
  const auto scope = scope_of(row.text(6));
  if (!scope) return damaged("scope of an answer");
  answer.scope = *scope;
  answer.approved = row.number(7) != 0;
  answer.reason = row.text(8);
  answer.rules = split(row.text(9), '\n');
  answer.at = row.number(10);
  return answer;
}

Result<std::vector<AnswerRecord>> read_answers(Statement& rows) {
  std::vector<AnswerRecord> answers;
  while (GLOVEBOX_TRY(rows.step())) answers.push_back(GLOVEBOX_TRY(read_answer(rows)));
  return answers;
}

Result<std::vector<RememberedRule>> read_rules(Statement& rows) {
  std::vector<RememberedRule> rules;
  while (GLOVEBOX_TRY(rows.step())) {
    const auto scope = scope_of(rows.text(1));
    if (!scope) return damaged("scope of a rule");
    rules.push_back({rows.number(0), *scope, rows.text(2), rows.text(3), rows.number(4) != 0});
  }
  return rules;
}

// An approval about which nothing is open any more.
Result<void> close_if_done(Database& database, const std::string& approval) {
  auto close = GLOVEBOX_TRY(database.prepare(
      "UPDATE approvals SET state = CASE WHEN EXISTS (SELECT 1 FROM approval_calls WHERE approval = ?1 AND NOT "
      "withdrawn) THEN 'answered' ELSE 'withdrawn' END WHERE id = ?1 AND state = 'pending' AND NOT EXISTS (SELECT 1 "
      "FROM approval_calls WHERE approval = ?1 AND approved IS NULL AND NOT withdrawn)"));
  return close.bind(approval).run();
}

Result<void> insert_entry(Database& database, const std::string& run, std::uint64_t sequence,
                          const JournalEntry& entry) {
  auto insert = GLOVEBOX_TRY(database.prepare("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?)"));
  insert.bind(run).bind(static_cast<std::int64_t>(sequence)).bind(static_cast<std::int64_t>(entry.kind));
  insert.bind(static_cast<std::int64_t>(entry.call_id)).bind(entry.op).bind(entry.digest).bind_blob(entry.frames);
  return insert.run();
}

Result<void> insert_begun(Database& database, const std::string& run, std::uint64_t call) {
  auto insert = GLOVEBOX_TRY(database.prepare("INSERT OR IGNORE INTO calls_begun VALUES (?, ?)"));
  return insert.bind(run).bind(static_cast<std::int64_t>(call)).run();
}

}  // namespace

template <typename Work>
Result<void> Store::write(bool survives_power, Work work) {
  const std::lock_guard lock(mutex_);
  GLOVEBOX_TRY_VOID(database_.survive(survives_power));
  auto transaction = GLOVEBOX_TRY(Transaction::begin(database_));
  GLOVEBOX_TRY_VOID(work());
  return transaction.commit();
}

Result<std::unique_ptr<Store>> Store::open(const std::string& folder, const std::string& file) {
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) return base::system_failure(errno, folder);
  // Before the Store is made: a return from within its making would leave its memory behind.
  Database database = GLOVEBOX_TRY(Database::open(folder + "/" + file));
  std::unique_ptr<Store> store(new Store(std::move(database)));
  GLOVEBOX_TRY_VOID(store->migrate());
  return store;
}

Result<void> Store::migrate() {
  return write(false, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(database_.execute("CREATE TABLE IF NOT EXISTS schema_version (version INTEGER NOT NULL)"));
    std::int64_t version = 0;
    {
      auto read = GLOVEBOX_TRY(database_.prepare("SELECT coalesce(max(version), 0) FROM schema_version"));
      if (GLOVEBOX_TRY(read.step())) version = read.number(0);
    }
    constexpr auto kNewest = static_cast<std::int64_t>(std::size(kMigrations));
    if (version > kNewest) {
      return Failure{ErrorCode::kInvalidArgument, "the store was written by a newer glovebox (its version is " +
                                                      std::to_string(version) + ", this program knows " +
                                                      std::to_string(kNewest) + ")"};
    }
    for (; version < kNewest; ++version) {
      GLOVEBOX_TRY_VOID(database_.execute(kMigrations[version]));
      auto insert = GLOVEBOX_TRY(database_.prepare("INSERT INTO schema_version VALUES (?)"));
      GLOVEBOX_TRY_VOID(insert.bind(version + 1).run());
    }
    return {};
  });
}

Result<void> Store::add_run(const RunRecord& run) {
  return write(false, [&]() -> Result<void> {
    auto insert = GLOVEBOX_TRY(database_.prepare(
        "INSERT INTO runs (id, created, status, code, language, name, context, config, seed, now, client, session, "
        "owner, intent) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"));
    insert.bind(run.id).bind(run.created).bind(name_of(run.status)).bind(run.code).bind(run.language).bind(run.name);
    insert.bind(run.context).bind(run.config).bind(run.seed).bind(run.now).bind(run.client).bind(run.session);
    return insert.bind(run.owner).bind(run.intent).run();
  });
}

Result<void> Store::set_status(const std::string& run, RunStatus status) {
  return write(false, [&]() -> Result<void> {
    auto update = GLOVEBOX_TRY(database_.prepare("UPDATE runs SET status = ? WHERE id = ? AND ended IS NULL"));
    return update.bind(name_of(status)).bind(run).run();
  });
}

Result<void> Store::end_run(const std::string& run, RunStatus status, const std::string& outcome, std::int64_t at) {
  return write(false, [&]() -> Result<void> {
    {
      auto update = GLOVEBOX_TRY(database_.prepare("UPDATE runs SET status = ?, outcome = ?, ended = ? WHERE id = ?"));
      GLOVEBOX_TRY_VOID(update.bind(name_of(status)).bind(outcome).bind(at).bind(run).run());
    }
    for (const char* sql : {"DELETE FROM journal WHERE run = ?", "DELETE FROM calls_begun WHERE run = ?",
                            "DELETE FROM rules WHERE scope = 'run' AND key = ?",
                            "UPDATE approvals SET state = 'withdrawn' WHERE run = ? AND state = 'pending'"}) {
      auto statement = GLOVEBOX_TRY(database_.prepare(sql));
      GLOVEBOX_TRY_VOID(statement.bind(run).run());
    }
    return {};
  });
}

Result<std::optional<RunRecord>> Store::find_run(const std::string& id) {
  const std::lock_guard lock(mutex_);
  static const std::string sql =
      std::string("SELECT ") + kRunColumns + ", code, context, coalesce(outcome, '') FROM runs WHERE id = ?";
  auto row = GLOVEBOX_TRY(database_.prepare(sql.c_str()));
  if (!GLOVEBOX_TRY(row.bind(id).step())) return std::optional<RunRecord>();
  RunRecord run = GLOVEBOX_TRY(read_run(row));
  run.code = row.text(15);
  run.context = row.text(16);
  run.outcome = row.text(17);
  return std::optional(std::move(run));
}

Result<std::vector<RunRecord>> Store::list_runs(std::optional<RunStatus> status, std::size_t most) {
  const std::lock_guard lock(mutex_);
  static const std::string sql = std::string("SELECT ") + kRunColumns +
                                 " FROM runs WHERE (?1 = '' OR status = ?1) ORDER BY created DESC, id LIMIT ?2";
  auto rows = GLOVEBOX_TRY(database_.prepare(sql.c_str()));
  rows.bind(status ? name_of(*status) : std::string_view()).bind(static_cast<std::int64_t>(most));
  return read_runs(rows);
}

Result<std::vector<RunRecord>> Store::unended_runs() {
  const std::lock_guard lock(mutex_);
  static const std::string sql =
      std::string("SELECT ") + kRunColumns + " FROM runs WHERE ended IS NULL ORDER BY owner, created";
  auto rows = GLOVEBOX_TRY(database_.prepare(sql.c_str()));
  return read_runs(rows);
}

Result<bool> Store::take_over(const std::string& run, const std::string& from, const std::string& to) {
  bool taken = false;
  GLOVEBOX_TRY_VOID(write(true, [&]() -> Result<void> {
    auto update =
        GLOVEBOX_TRY(database_.prepare("UPDATE runs SET owner = ? WHERE id = ? AND owner = ? AND ended IS NULL"));
    GLOVEBOX_TRY_VOID(update.bind(to).bind(run).bind(from).run());
    taken = database_.changes() == 1;
    return {};
  }));
  return taken;
}

Result<bool> Store::ask_to_cancel(const std::string& run) {
  bool asked = false;
  GLOVEBOX_TRY_VOID(write(true, [&]() -> Result<void> {
    auto update = GLOVEBOX_TRY(database_.prepare("UPDATE runs SET cancel_asked = 1 WHERE id = ? AND ended IS NULL"));
    GLOVEBOX_TRY_VOID(update.bind(run).run());
    asked = database_.changes() == 1;
    return {};
  }));
  return asked;
}

Result<std::vector<std::string>> Store::runs_to_cancel(const std::string& owner) {
  const std::lock_guard lock(mutex_);
  auto rows = GLOVEBOX_TRY(
      database_.prepare("SELECT id FROM runs WHERE ended IS NULL AND owner = ? AND cancel_asked ORDER BY created"));
  rows.bind(owner);
  std::vector<std::string> runs;
  while (GLOVEBOX_TRY(rows.step())) runs.push_back(rows.text(0));
  return runs;
}

Result<void> Store::begin_journal(const std::string& run, const std::vector<JournalEntry>& entries,
                                  const std::vector<std::uint64_t>& calls_begun) {
  return write(true, [&]() -> Result<void> {
    {
      auto update = GLOVEBOX_TRY(database_.prepare("UPDATE runs SET journaled = 1 WHERE id = ?"));
      GLOVEBOX_TRY_VOID(update.bind(run).run());
    }
    for (std::size_t i = 0; i < entries.size(); ++i) {
      GLOVEBOX_TRY_VOID(insert_entry(database_, run, i, entries[i]));
    }
    for (const std::uint64_t call : calls_begun) GLOVEBOX_TRY_VOID(insert_begun(database_, run, call));
    return {};
  });
}

Result<void> Store::append_journal(const std::string& run, std::uint64_t sequence, const JournalEntry& entry) {
  return write(true, [&] { return insert_entry(database_, run, sequence, entry); });
}

Result<void> Store::mark_begun(const std::string& run, std::uint64_t call) {
  return write(true, [&] { return insert_begun(database_, run, call); });
}

Result<void> Store::drop_journal(const std::string& run) {
  return write(true, [&]() -> Result<void> {
    for (const char* sql : {"UPDATE runs SET journaled = 0 WHERE id = ?", "DELETE FROM journal WHERE run = ?",
                            "DELETE FROM calls_begun WHERE run = ?"}) {
      auto statement = GLOVEBOX_TRY(database_.prepare(sql));
      GLOVEBOX_TRY_VOID(statement.bind(run).run());
    }
    return {};
  });
}

Result<std::vector<JournalEntry>> Store::journal(const std::string& run) {
  const std::lock_guard lock(mutex_);
  auto rows = GLOVEBOX_TRY(
      database_.prepare("SELECT seq, kind, call, op, digest, frames FROM journal WHERE run = ? ORDER BY seq"));
  rows.bind(run);
  std::vector<JournalEntry> entries;
  while (GLOVEBOX_TRY(rows.step())) {
    const std::int64_t kind = rows.number(1);
    const bool known = kind == static_cast<std::int64_t>(JournalEntry::Kind::kCall) ||
                       kind == static_cast<std::int64_t>(JournalEntry::Kind::kReply);
    if (!known || rows.number(0) != static_cast<std::int64_t>(entries.size())) return damaged("entry of a journal");
    entries.push_back({static_cast<JournalEntry::Kind>(kind), static_cast<std::uint64_t>(rows.number(2)), rows.text(3),
                       rows.text(4), rows.text(5)});
  }
  return entries;
}

Result<std::vector<std::uint64_t>> Store::calls_begun(const std::string& run) {
  const std::lock_guard lock(mutex_);
  auto rows = GLOVEBOX_TRY(database_.prepare("SELECT call FROM calls_begun WHERE run = ? ORDER BY call"));
  rows.bind(run);
  std::vector<std::uint64_t> calls;
  while (GLOVEBOX_TRY(rows.step())) calls.push_back(static_cast<std::uint64_t>(rows.number(0)));
  return calls;
}

Result<void> Store::add_approval(const ApprovalRecord& approval) {
  return write(true, [&]() -> Result<void> {
    {
      auto insert = GLOVEBOX_TRY(database_.prepare("INSERT INTO approvals VALUES (?, ?, ?, ?, ?, ?)"));
      insert.bind(approval.id).bind(approval.run).bind(approval.created).bind(approval.kind).bind(approval.card);
      GLOVEBOX_TRY_VOID(insert.bind(name_of(approval.state)).run());
    }
    for (const ApprovalCall& call : approval.calls) {
      auto insert = GLOVEBOX_TRY(database_.prepare(
          "INSERT INTO approval_calls (approval, call, server, tool, arguments, tool_hash) VALUES (?, ?, ?, ?, ?, ?)"));
      insert.bind(approval.id).bind(static_cast<std::int64_t>(call.call)).bind(call.server).bind(call.tool);
      GLOVEBOX_TRY_VOID(insert.bind(call.arguments).bind(call.tool_hash).run());
    }
    auto update = GLOVEBOX_TRY(database_.prepare("UPDATE runs SET status = 'waiting' WHERE id = ? AND ended IS NULL"));
    return update.bind(approval.run).run();
  });
}

Result<void> Store::fill_calls(ApprovalRecord& approval) {
  auto rows =
      GLOVEBOX_TRY(database_.prepare("SELECT call, server, tool, arguments, tool_hash, approved, reason FROM "
                                     "approval_calls WHERE approval = ? AND NOT "
                                     "withdrawn ORDER BY call"));
  rows.bind(approval.id);
  while (GLOVEBOX_TRY(rows.step())) {
    ApprovalCall call{static_cast<std::uint64_t>(rows.number(0)),
                      rows.text(1),
                      rows.text(2),
                      rows.text(3),
                      rows.text(4),
                      std::nullopt,
                      rows.text(6)};
    if (!rows.is_null(5)) call.approved = rows.number(5) != 0;
    approval.calls.push_back(std::move(call));
  }
  return {};
}

Result<std::optional<ApprovalRecord>> Store::find_approval(const std::string& id) {
  const std::lock_guard lock(mutex_);
  std::optional<ApprovalRecord> approval;
  {
    auto row =
        GLOVEBOX_TRY(database_.prepare("SELECT id, run, created, kind, card, state FROM approvals WHERE id = ?"));
    if (!GLOVEBOX_TRY(row.bind(id).step())) return approval;
    approval = GLOVEBOX_TRY(read_approval(row));
  }
  GLOVEBOX_TRY_VOID(fill_calls(*approval));
  return approval;
}

Result<std::vector<ApprovalRecord>> Store::approvals(const std::string& run, bool pending_only) {
  const std::lock_guard lock(mutex_);
  std::vector<ApprovalRecord> approvals;
  {
    const char* sql = run.empty()
                          ? (pending_only ? "SELECT id, run, created, kind, card, state FROM approvals WHERE "
                                            "state = 'pending' ORDER BY created, id"
                                          : "SELECT id, run, created, kind, card, state FROM approvals ORDER BY "
                                            "created, id")
                          : "SELECT id, run, created, kind, card, state FROM approvals WHERE run = ?1 AND (NOT "
                            "?2 OR state = 'pending') ORDER BY created, id";
    auto rows = GLOVEBOX_TRY(database_.prepare(sql));
    if (!run.empty()) rows.bind(run).bind(pending_only ? 1 : 0);
    while (GLOVEBOX_TRY(rows.step())) approvals.push_back(GLOVEBOX_TRY(read_approval(rows)));
  }
  for (ApprovalRecord& approval : approvals) GLOVEBOX_TRY_VOID(fill_calls(approval));
  return approvals;
}

Result<void> Store::withdraw_call(const std::string& approval, std::uint64_t call) {
  return write(true, [&]() -> Result<void> {
    {
      auto update =
          GLOVEBOX_TRY(database_.prepare("UPDATE approval_calls SET withdrawn = 1 WHERE approval = ? AND call = ?"));
      GLOVEBOX_TRY_VOID(update.bind(approval).bind(static_cast<std::int64_t>(call)).run());
    }
    return close_if_done(database_, approval);
  });
}

Result<std::int64_t> Store::answer(const AnswerRecord& answer, const std::string& session) {
  for (const std::string& rule : answer.rules) {
    if (rule.empty() || rule.find('\n') != std::string::npos) {
      return Failure{ErrorCode::kInvalidArgument, "a rule is one line"};
    }
  }
  std::int64_t id = 0;
  GLOVEBOX_TRY_VOID(write(true, [&]() -> Result<void> {
    std::string run;
    {
      auto find = GLOVEBOX_TRY(database_.prepare("SELECT run, state FROM approvals WHERE id = ?"));
      if (!GLOVEBOX_TRY(find.bind(answer.approval).step())) {
        return Failure{ErrorCode::kNotFound, "there is no approval " + answer.approval};
      }
      run = find.text(0);
      if (find.text(1) == "withdrawn") {
        return Failure{ErrorCode::kConflict, "approval " + answer.approval + " is off: its run has ended or asks anew"};
      }
    }
    std::vector<std::uint64_t> open;
    {
      auto rows = GLOVEBOX_TRY(database_.prepare(
          "SELECT call FROM approval_calls WHERE approval = ? AND approved IS NULL AND NOT withdrawn ORDER BY call"));
      rows.bind(answer.approval);
      while (GLOVEBOX_TRY(rows.step())) open.push_back(static_cast<std::uint64_t>(rows.number(0)));
    }
    std::vector<std::uint64_t> meant;
    for (const std::uint64_t call : open) {
      const bool named = std::find(answer.calls.begin(), answer.calls.end(), call) != answer.calls.end();
      if (answer.calls.empty() || named) meant.push_back(call);
    }
    if (meant.empty() ||
        (!answer.calls.empty() && meant.size() != std::set(answer.calls.begin(), answer.calls.end()).size())) {
      return Failure{ErrorCode::kConflict, open.empty()
                                               ? "approval " + answer.approval + " has been answered already"
                                               : "approval " + answer.approval +
                                                     " does not ask about these calls, or they have been answered"};
    }
    for (const std::uint64_t call : meant) {
      auto update = GLOVEBOX_TRY(
          database_.prepare("UPDATE approval_calls SET approved = ?, reason = ? WHERE approval = ? AND call = ?"));
      update.bind(answer.approved ? 1 : 0).bind(answer.reason).bind(answer.approval);
      GLOVEBOX_TRY_VOID(update.bind(static_cast<std::int64_t>(call)).run());
    }
    std::string rules;
    for (const std::string& rule : answer.rules) rules.append(rules.empty() ? "" : "\n").append(rule);
    {
      auto insert =
          GLOVEBOX_TRY(database_.prepare("INSERT INTO approval_answers (approval, run, calls, who, channel, scope, "
                                         "approved, reason, rules, at) VALUES "
                                         "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"));
      const std::string calls = join(meant);
      insert.bind(answer.approval).bind(run).bind(calls).bind(answer.who).bind(answer.channel);
      insert.bind(name_of(answer.scope)).bind(answer.approved ? 1 : 0).bind(answer.reason).bind(rules).bind(answer.at);
      if (GLOVEBOX_TRY(insert.step())) id = insert.number(0);
      GLOVEBOX_TRY_VOID(insert.run());
    }
    if (answer.approved && answer.scope != Scope::kOnce) {
      for (const std::string& rule : answer.rules) {
        auto insert = GLOVEBOX_TRY(
            database_.prepare("INSERT INTO rules (scope, key, pattern, to_config, at) VALUES (?, ?, ?, ?, ?)"));
        const bool of_run = answer.scope == Scope::kRun;
        // What goes to the config holds for the session until it is there.
        insert.bind(of_run ? "run" : "session").bind(of_run ? std::string_view(run) : std::string_view(session));
        insert.bind(rule).bind(answer.scope == Scope::kAlways ? 1 : 0);
        GLOVEBOX_TRY_VOID(insert.bind(answer.at).run());
      }
    }
    return close_if_done(database_, answer.approval);
  }));
  return id;
}

Result<std::vector<AnswerRecord>> Store::answers_after(std::int64_t id) {
  const std::lock_guard lock(mutex_);
  auto rows =
      GLOVEBOX_TRY(database_.prepare("SELECT id, approval, run, calls, who, channel, scope, approved, reason, rules, "
                                     "at FROM approval_answers WHERE id "
                                     "> ? ORDER BY id"));
  rows.bind(id);
  return read_answers(rows);
}

Result<std::vector<AnswerRecord>> Store::answers_to(const std::string& approval) {
  const std::lock_guard lock(mutex_);
  auto rows = GLOVEBOX_TRY(database_.prepare(
      "SELECT id, approval, run, calls, who, channel, scope, approved, reason, rules, at FROM approval_answers WHERE "
      "approval = ? ORDER BY id"));
  rows.bind(approval);
  return read_answers(rows);
}

Result<std::int64_t> Store::last_answer() {
  const std::lock_guard lock(mutex_);
  auto row = GLOVEBOX_TRY(database_.prepare("SELECT coalesce(max(id), 0) FROM approval_answers"));
  return GLOVEBOX_TRY(row.step()) ? row.number(0) : std::int64_t{0};
}

Result<std::vector<RememberedRule>> Store::rules_for(const std::string& run, const std::string& session) {
  const std::lock_guard lock(mutex_);
  auto rows = GLOVEBOX_TRY(
      database_.prepare("SELECT id, scope, key, pattern, to_config FROM rules WHERE (scope = 'run' AND key = ?) OR "
                        "(scope = 'session' AND key = ?) ORDER BY id"));
  rows.bind(run).bind(session);
  return read_rules(rows);
}

Result<std::vector<RememberedRule>> Store::rules_to_write() {
  const std::lock_guard lock(mutex_);
  auto rows = GLOVEBOX_TRY(
      database_.prepare("SELECT id, scope, key, pattern, to_config FROM rules WHERE to_config ORDER BY id"));
  return read_rules(rows);
}

Result<void> Store::set_written(std::int64_t rule) {
  return write(false, [&]() -> Result<void> {
    auto update = GLOVEBOX_TRY(database_.prepare("UPDATE rules SET to_config = 0 WHERE id = ?"));
    return update.bind(rule).run();
  });
}

Result<std::size_t> Store::prune(std::size_t keep, std::int64_t before) {
  std::size_t pruned = 0;
  GLOVEBOX_TRY_VOID(write(false, [&]() -> Result<void> {
    auto remove = GLOVEBOX_TRY(database_.prepare(
        "DELETE FROM runs WHERE ended IS NOT NULL AND (ended < ?1 OR id NOT IN (SELECT id FROM runs WHERE ended IS NOT "
        "NULL ORDER BY ended DESC LIMIT ?2))"));
    GLOVEBOX_TRY_VOID(remove.bind(before).bind(static_cast<std::int64_t>(keep)).run());
    pruned = static_cast<std::size_t>(database_.changes());
    auto rules =
        GLOVEBOX_TRY(database_.prepare("DELETE FROM rules WHERE scope = 'session' AND NOT to_config AND at < ?"));
    return rules.bind(before).run();
  }));
  return pruned;
}

}  // namespace glovebox::store
