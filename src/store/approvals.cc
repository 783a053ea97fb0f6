// Store's tables of approvals, their answers, and the rules that answers made.
#include <algorithm>
#include <charconv>
#include <set>

#include "store/damage.h"
#include "store/store.h"

namespace glovebox::store {
namespace {

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

std::string numbers_text(const std::vector<std::uint64_t>& numbers) {
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

// Answers are numbered in the order in which they can be seen: whoever has read one has read all before it. Hence they
// follow each other, whatever they are about.
constexpr std::string_view kAnswers = "answers";

// An approval about which nothing is open any more.
Result<void> close_if_done(Database& database, const std::string& approval) {
  auto close = GLOVEBOX_TRY(database.prepare(
      "UPDATE approvals SET state = CASE WHEN EXISTS (SELECT 1 FROM approval_calls WHERE approval = ?1 AND withdrawn = "
      "0) THEN ?2 ELSE ?3 END WHERE id = ?1 AND state = 'pending' AND NOT EXISTS (SELECT 1 FROM approval_calls WHERE "
      "approval = ?1 AND approved IS NULL AND withdrawn = 0)"));
  return close.bind(approval).bind("answered").bind("withdrawn").run();
}

}  // namespace

Result<void> Store::fill_calls(ApprovalRecord& approval) {
  auto rows =
      GLOVEBOX_TRY(database_->prepare("SELECT call, server, tool, arguments, tool_hash, approved, reason FROM "
                                      "approval_calls WHERE approval = ? AND withdrawn = 0 ORDER BY call"));
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

Result<void> Store::add_approval(const ApprovalRecord& approval) {
  return write({"add_approval", true, approval.run}, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(check_owner(approval.run));
    {
      auto insert = GLOVEBOX_TRY(database_->prepare("INSERT INTO approvals VALUES (?, ?, ?, ?, ?, ?)"));
      insert.bind(approval.id).bind(approval.run).bind(approval.created).bind(approval.kind).bind(approval.card);
      GLOVEBOX_TRY_VOID(insert.bind(name_of(approval.state)).run());
    }
    for (const ApprovalCall& call : approval.calls) {
      auto insert = GLOVEBOX_TRY(database_->prepare(
          "INSERT INTO approval_calls (approval, call, server, tool, arguments, tool_hash) VALUES (?, ?, ?, ?, ?, ?)"));
      insert.bind(approval.id).bind(static_cast<std::int64_t>(call.call)).bind(call.server).bind(call.tool);
      GLOVEBOX_TRY_VOID(insert.bind(call.arguments).bind(call.tool_hash).run());
    }
    auto update = GLOVEBOX_TRY(database_->prepare("UPDATE runs SET status = 'waiting' WHERE id = ? AND ended IS NULL"));
    return update.bind(approval.run).run();
  });
}

Result<std::optional<ApprovalRecord>> Store::find_approval(const std::string& id) {
  return read([&]() -> Result<std::optional<ApprovalRecord>> {
    std::optional<ApprovalRecord> approval;
    {
      auto row =
          GLOVEBOX_TRY(database_->prepare("SELECT id, run, created, kind, card, state FROM approvals WHERE id = ?"));
      if (!GLOVEBOX_TRY(row.bind(id).step())) return approval;
      approval = GLOVEBOX_TRY(read_approval(row));
    }
    GLOVEBOX_TRY_VOID(fill_calls(*approval));
    return approval;
  });
}

Result<std::vector<ApprovalRecord>> Store::approvals(const std::string& run, bool pending_only) {
  return read([&]() -> Result<std::vector<ApprovalRecord>> {
    std::vector<ApprovalRecord> approvals;
    {
      const char* sql = run.empty()
                            ? (pending_only ? "SELECT id, run, created, kind, card, state FROM approvals WHERE "
                                              "state = 'pending' ORDER BY created, id"
                                            : "SELECT id, run, created, kind, card, state FROM approvals ORDER BY "
                                              "created, id")
                            : "SELECT id, run, created, kind, card, state FROM approvals WHERE run = ?1 AND (?2 = "
                              "0 OR state = 'pending') ORDER BY created, id";
      auto rows = GLOVEBOX_TRY(database_->prepare(sql));
      if (!run.empty()) rows.bind(run).bind(pending_only ? 1 : 0);
      while (GLOVEBOX_TRY(rows.step())) approvals.push_back(GLOVEBOX_TRY(read_approval(rows)));
    }
    for (ApprovalRecord& approval : approvals) GLOVEBOX_TRY_VOID(fill_calls(approval));
    return approvals;
  });
}

Result<void> Store::withdraw_call(const std::string& approval, std::uint64_t call) {
  return write({"withdraw_call", true, kAnswers}, [&]() -> Result<void> {
    std::string run;
    {
      auto find = GLOVEBOX_TRY(database_->prepare("SELECT run FROM approvals WHERE id = ?"));
      if (GLOVEBOX_TRY(find.bind(approval).step())) run = find.text(0);
    }
    GLOVEBOX_TRY_VOID(check_owner(run));
    {
      auto update =
          GLOVEBOX_TRY(database_->prepare("UPDATE approval_calls SET withdrawn = 1 WHERE approval = ? AND call = ?"));
      GLOVEBOX_TRY_VOID(update.bind(approval).bind(static_cast<std::int64_t>(call)).run());
    }
    return close_if_done(*database_, approval);
  });
}

Result<std::int64_t> Store::answer(const AnswerRecord& answer, const std::string& session) {
  for (const std::string& rule : answer.rules) {
    if (rule.empty() || rule.find('\n') != std::string::npos) {
      return Failure{ErrorCode::kInvalidArgument, "a rule is one line"};
    }
  }
  std::int64_t id = 0;
  GLOVEBOX_TRY_VOID(write({"answer", true, kAnswers}, [&]() -> Result<void> {
    std::string run;
    {
      auto find = GLOVEBOX_TRY(database_->prepare("SELECT run FROM approvals WHERE id = ?"));
      if (!GLOVEBOX_TRY(find.bind(answer.approval).step())) {
        return Failure{ErrorCode::kNotFound, "there is no approval " + answer.approval};
      }
      run = find.text(0);
    }
    GLOVEBOX_TRY_VOID(database_->lock(run));
    {
      auto find = GLOVEBOX_TRY(database_->prepare("SELECT state FROM approvals WHERE id = ?"));
      if (!GLOVEBOX_TRY(find.bind(answer.approval).step()) || find.text(0) == "withdrawn") {
        return Failure{ErrorCode::kConflict, "approval " + answer.approval + " is off: its run has ended or asks anew"};
      }
    }
    std::vector<std::uint64_t> open;
    {
      auto rows = GLOVEBOX_TRY(database_->prepare(
          "SELECT call FROM approval_calls WHERE approval = ? AND approved IS NULL AND withdrawn = 0 ORDER BY call"));
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
          database_->prepare("UPDATE approval_calls SET approved = ?, reason = ? WHERE approval = ? AND call = ?"));
      update.bind(answer.approved ? 1 : 0).bind(answer.reason).bind(answer.approval);
      GLOVEBOX_TRY_VOID(update.bind(static_cast<std::int64_t>(call)).run());
    }
    std::string rules;
    for (const std::string& rule : answer.rules) rules.append(rules.empty() ? "" : "\n").append(rule);
    {
      auto insert =
          GLOVEBOX_TRY(database_->prepare("INSERT INTO approval_answers (approval, run, calls, who, channel, scope, "
                                          "approved, reason, rules, at) VALUES "
                                          "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"));
      const std::string calls = numbers_text(meant);
      insert.bind(answer.approval).bind(run).bind(calls).bind(answer.who).bind(answer.channel);
      insert.bind(name_of(answer.scope)).bind(answer.approved ? 1 : 0).bind(answer.reason).bind(rules).bind(answer.at);
      if (GLOVEBOX_TRY(insert.step())) id = insert.number(0);
      GLOVEBOX_TRY_VOID(insert.run());
    }
    if (answer.approved && answer.scope != Scope::kOnce) {
      for (const std::string& rule : answer.rules) {
        auto insert = GLOVEBOX_TRY(
            database_->prepare("INSERT INTO rules (scope, key, pattern, to_config, at) VALUES (?, ?, ?, ?, ?)"));
        const bool of_run = answer.scope == Scope::kRun;
        // What goes to the config holds for the session until it is there.
        insert.bind(of_run ? "run" : "session").bind(of_run ? std::string_view(run) : std::string_view(session));
        insert.bind(rule).bind(answer.scope == Scope::kAlways ? 1 : 0);
        GLOVEBOX_TRY_VOID(insert.bind(answer.at).run());
      }
    }
    GLOVEBOX_TRY_VOID(close_if_done(*database_, answer.approval));
    return database_->wake_others();
  }));
  return id;
}

Result<std::vector<AnswerRecord>> Store::answers_after(std::int64_t id) {
  return read([&]() -> Result<std::vector<AnswerRecord>> {
    auto rows = GLOVEBOX_TRY(
        database_->prepare("SELECT id, approval, run, calls, who, channel, scope, approved, reason, rules, "
                           "at FROM approval_answers WHERE id "
                           "> ? ORDER BY id"));
    rows.bind(id);
    return read_answers(rows);
  });
}

Result<std::vector<AnswerRecord>> Store::answers_to(const std::string& approval) {
  return read([&]() -> Result<std::vector<AnswerRecord>> {
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT id, approval, run, calls, who, channel, scope, approved, reason, rules, at FROM approval_answers WHERE "
        "approval = ? ORDER BY id"));
    rows.bind(approval);
    return read_answers(rows);
  });
}

Result<std::int64_t> Store::last_answer() {
  return read([&]() -> Result<std::int64_t> {
    auto row = GLOVEBOX_TRY(database_->prepare("SELECT coalesce(max(id), 0) FROM approval_answers"));
    return GLOVEBOX_TRY(row.step()) ? row.number(0) : std::int64_t{0};
  });
}

Result<std::vector<RememberedRule>> Store::rules_for(const std::string& run, const std::string& session) {
  return read([&]() -> Result<std::vector<RememberedRule>> {
    auto rows = GLOVEBOX_TRY(
        database_->prepare("SELECT id, scope, key, pattern, to_config FROM rules WHERE (scope = 'run' AND key = ?) OR "
                           "(scope = 'session' AND key = ?) ORDER BY id"));
    rows.bind(run).bind(session);
    return read_rules(rows);
  });
}

Result<std::vector<RememberedRule>> Store::rules_to_write() {
  return read([&]() -> Result<std::vector<RememberedRule>> {
    auto rows = GLOVEBOX_TRY(
        database_->prepare("SELECT id, scope, key, pattern, to_config FROM rules WHERE to_config <> 0 ORDER BY id"));
    return read_rules(rows);
  });
}

Result<void> Store::set_written(std::int64_t rule) {
  return write({"set_written", false, ""}, [&]() -> Result<void> {
    auto update = GLOVEBOX_TRY(database_->prepare("UPDATE rules SET to_config = 0 WHERE id = ?"));
    return update.bind(rule).run();
  });
}

}  // namespace glovebox::store
