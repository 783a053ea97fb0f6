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

// Answers are numbered in the order in which they become visible: a reader that has seen one has seen all before it. So
// all writes of answers are serialized, whatever they are about.
constexpr std::string_view kAnswers = "answers";

// Closes an approval once none of its calls is open.
Result<void> close_if_done(Database& database, const std::string& approval) {
  auto close = GLOVEBOX_TRY(database.prepare(
      "UPDATE approvals SET state = CASE WHEN EXISTS (SELECT 1 FROM approval_calls WHERE approval = ?1 AND withdrawn = "
      "0) THEN ?2 ELSE ?3 END WHERE id = ?1 AND state = 'pending' AND NOT EXISTS (SELECT 1 FROM approval_calls WHERE "
      "approval = ?1 AND approved IS NULL AND withdrawn = 0)"));
  return close.bind(approval).bind("answered").bind("withdrawn").run();
}

}  // namespace

Result<std::vector<AnswerRecord>> Store::read_answers(Statement& rows, Trust trust) {
  std::vector<AnswerRecord> answers;
  while (GLOVEBOX_TRY(rows.step())) {
    AnswerRecord answer = GLOVEBOX_TRY(read_answer(rows));
    const bool counts =
        trust == Trust::kWhatever || is_ours(rows.text(11), seal_.of(answer), "answer " + std::to_string(answer.id));
    if (counts) answers.push_back(std::move(answer));
  }
  return answers;
}

Result<std::vector<RememberedRule>> Store::read_rules(Statement& rows, Trust trust) {
  std::vector<RememberedRule> rules;
  while (GLOVEBOX_TRY(rows.step())) {
    const auto scope = scope_of(rows.text(1));
    if (!scope) return damaged("scope of a rule");
    RememberedRule rule{rows.number(0), *scope, rows.text(2), rows.text(3), rows.number(4) != 0};
    const bool counts =
        trust == Trust::kWhatever ||
        is_ours(rows.text(5), seal_.of(rule), "rule " + std::to_string(rule.id) + " (" + rule.pattern + ")");
    if (counts) rules.push_back(std::move(rule));
  }
  return rules;
}

Result<void> Store::fill_calls(ApprovalRecord& approval, Trust trust) {
  auto rows =
      GLOVEBOX_TRY(database_->prepare("SELECT call, server, tool, arguments, tool_hash, approved, reason, digest, "
                                      "begun FROM approval_calls WHERE approval = ? AND withdrawn = 0 ORDER BY call"));
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
    call.begun = rows.number(8) != 0;
    const bool counts =
        trust == Trust::kWhatever || is_ours(rows.text(7), seal_.of(approval.id, call),
                                             "call " + std::to_string(call.call) + " of approval " + approval.id);
    if (counts) approval.calls.push_back(std::move(call));
  }
  return {};
}

Result<void> Store::add_approval(const ApprovalRecord& approval, std::optional<std::size_t> most_waiting) {
  return write({"add_approval", true, approval.run}, [&]() -> Result<void> {
    GLOVEBOX_TRY_VOID(check_owner(approval.run));
    if (most_waiting) {
      auto others = GLOVEBOX_TRY(
          database_->prepare("SELECT count(*) FROM runs WHERE status = 'waiting' AND id <> ?1 AND holder = (SELECT "
                             "holder FROM runs WHERE id = ?1)"));
      const bool counted = GLOVEBOX_TRY(others.bind(approval.run).step());
      if (counted && others.number(0) >= static_cast<std::int64_t>(*most_waiting))
        return Failure{ErrorCode::kInvalidArgument,
                       std::to_string(*most_waiting) +
                           " runs of this client wait for a person already "
                           "(limits.waitingRunsPerClient): answer or cancel one, then try again"};
    }
    {
      auto insert = GLOVEBOX_TRY(database_->prepare("INSERT INTO approvals VALUES (?, ?, ?, ?, ?, ?, ?)"));
      const std::string digest = seal_.of(approval);
      insert.bind(approval.id).bind(approval.run).bind(approval.created).bind(approval.kind).bind(approval.card);
      GLOVEBOX_TRY_VOID(insert.bind(name_of(approval.state)).bind(digest).run());
    }
    for (const ApprovalCall& call : approval.calls) {
      auto insert = GLOVEBOX_TRY(database_->prepare(
          "INSERT INTO approval_calls (approval, call, server, tool, arguments, tool_hash, digest) VALUES (?, ?, ?, ?, "
          "?, ?, ?)"));
      const std::string digest = seal_.of(approval.id, call);
      insert.bind(approval.id).bind(static_cast<std::int64_t>(call.call)).bind(call.server).bind(call.tool);
      GLOVEBOX_TRY_VOID(insert.bind(call.arguments).bind(call.tool_hash).bind(digest).run());
    }
    auto update = GLOVEBOX_TRY(
        database_->prepare("UPDATE runs SET status = 'waiting', bytes = bytes + ? WHERE id = ? AND ended IS NULL"));
    return update.bind(static_cast<std::int64_t>(approval.card.size())).bind(approval.run).run();
  });
}

Result<std::optional<ApprovalRecord>> Store::read_whole_approval(const std::string& id) {
  std::optional<ApprovalRecord> approval;
  {
    auto row = GLOVEBOX_TRY(
        database_->prepare("SELECT id, run, created, kind, card, state, digest FROM approvals WHERE id = ?"));
    if (!GLOVEBOX_TRY(row.bind(id).step())) return approval;
    approval = GLOVEBOX_TRY(read_approval(row));
    if (!is_ours(row.text(6), seal_.of(*approval), "approval " + id)) return std::optional<ApprovalRecord>();
  }
  GLOVEBOX_TRY_VOID(fill_calls(*approval, Trust::kOursOnly));
  return approval;
}

Result<std::optional<ApprovalRecord>> Store::find_approval(const std::string& id) {
  return read([&] { return read_whole_approval(id); });
}

Result<std::vector<ApprovalRecord>> Store::approvals(const std::string& run, bool pending_only) {
  return read([&] { return read_approvals(run, pending_only, Trust::kOursOnly); });
}

Result<std::int64_t> Store::pending_approvals() {
  return read([&]() -> Result<std::int64_t> {
    auto row = GLOVEBOX_TRY(database_->prepare("SELECT count(*) FROM approvals WHERE state = 'pending'"));
    return GLOVEBOX_TRY(row.step()) ? row.number(0) : std::int64_t{0};
  });
}

Result<std::vector<ApprovalRecord>> Store::read_approvals(const std::string& run, bool pending_only, Trust trust) {
  std::vector<ApprovalRecord> approvals;
  {
    const char* sql =
        run.empty() ? (pending_only ? "SELECT id, run, created, kind, card, state, digest FROM approvals WHERE "
                                      "state = 'pending' ORDER BY created, id"
                                    : "SELECT id, run, created, kind, card, state, digest FROM approvals ORDER BY "
                                      "created, id")
                    : "SELECT id, run, created, kind, card, state, digest FROM approvals WHERE run = ?1 AND (?2 = "
                      "0 OR state = 'pending') ORDER BY created, id";
    auto rows = GLOVEBOX_TRY(database_->prepare(sql));
    if (!run.empty()) rows.bind(run).bind(pending_only ? 1 : 0);
    approvals = GLOVEBOX_TRY(read_approvals(rows, trust));
  }
  for (ApprovalRecord& approval : approvals) GLOVEBOX_TRY_VOID(fill_calls(approval, trust));
  return approvals;
}

// Without their calls.
Result<std::vector<ApprovalRecord>> Store::read_approvals(Statement& rows, Trust trust) {
  std::vector<ApprovalRecord> approvals;
  while (GLOVEBOX_TRY(rows.step())) {
    ApprovalRecord approval = GLOVEBOX_TRY(read_approval(rows));
    const bool counts =
        trust == Trust::kWhatever || is_ours(rows.text(6), seal_.of(approval), "approval " + approval.id);
    if (counts) approvals.push_back(std::move(approval));
  }
  return approvals;
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

// Within a write: locks the run that asked, so that no other answer for it is written meanwhile.
Result<std::string> Store::lock_asking_run(const std::string& approval) {
  // Which run it is for decides whom a rule "for this run" is for, so the row must be ours.
  const auto asked = [&]() -> Result<ApprovalRecord> {
    auto find = GLOVEBOX_TRY(
        database_->prepare("SELECT id, run, created, kind, card, state, digest FROM approvals WHERE id = ?"));
    const bool found = GLOVEBOX_TRY(find.bind(approval).step());
    ApprovalRecord read = found ? GLOVEBOX_TRY(read_approval(find)) : ApprovalRecord();
    if (!found || !is_ours(find.text(6), seal_.of(read), "approval " + approval))
      return Failure{ErrorCode::kNotFound, "there is no approval " + approval};
    return read;
  };
  const std::string run = GLOVEBOX_TRY(asked()).run;
  GLOVEBOX_TRY_VOID(database_->lock(run));
  const auto now = asked();
  if (!now || now->run != run || now->state == ApprovalRecord::State::kWithdrawn)
    return Failure{ErrorCode::kConflict, "approval " + approval + " is void: its run has ended or asks again"};
  return run;
}

Result<void> Store::write_decision(const std::string& approval, const ApprovalCall& call) {
  const std::string digest = seal_.of(approval, call);
  auto update = GLOVEBOX_TRY(database_->prepare(
      "UPDATE approval_calls SET approved = ?, reason = ?, digest = ? WHERE approval = ? AND call = ?"));
  update.bind(call.approved.value_or(false) ? 1 : 0).bind(call.reason).bind(digest).bind(approval);
  return update.bind(static_cast<std::int64_t>(call.call)).run();
}

Result<std::int64_t> Store::insert_answer(const AnswerRecord& answer) {
  std::string rules;
  for (const std::string& rule : answer.rules) rules.append(rules.empty() ? "" : "\n").append(rule);
  auto insert =
      GLOVEBOX_TRY(database_->prepare("INSERT INTO approval_answers (approval, run, calls, who, channel, scope, "
                                      "approved, reason, rules, at, digest) VALUES "
                                      "(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id"));
  const std::string calls = numbers_text(answer.calls);
  const std::string digest = seal_.of(answer);
  insert.bind(answer.approval).bind(answer.run).bind(calls).bind(answer.who).bind(answer.channel);
  insert.bind(name_of(answer.scope)).bind(answer.approved ? 1 : 0).bind(answer.reason).bind(rules).bind(answer.at);
  insert.bind(digest);
  std::int64_t id = 0;
  if (GLOVEBOX_TRY(insert.step())) id = insert.number(0);
  GLOVEBOX_TRY_VOID(insert.run());
  return id;
}

Result<std::int64_t> Store::answer(const AnswerRecord& answer, const std::string& session) {
  for (const std::string& rule : answer.rules) {
    if (rule.empty() || rule.find('\n') != std::string::npos) {
      return Failure{ErrorCode::kInvalidArgument, "a rule is one line"};
    }
  }
  std::int64_t id = 0;
  GLOVEBOX_TRY_VOID(write({"answer", true, kAnswers}, [&]() -> Result<void> {
    const std::string run = GLOVEBOX_TRY(lock_asking_run(answer.approval));
    ApprovalRecord asked;
    asked.id = answer.approval;
    GLOVEBOX_TRY_VOID(fill_calls(asked, Trust::kOursOnly));
    std::erase_if(asked.calls, [](const ApprovalCall& call) { return call.approved.has_value(); });
    std::vector<ApprovalCall> meant;
    for (const ApprovalCall& call : asked.calls) {
      const bool named = std::find(answer.calls.begin(), answer.calls.end(), call.call) != answer.calls.end();
      if (answer.calls.empty() || named) meant.push_back(call);
    }
    if (meant.empty() ||
        (!answer.calls.empty() && meant.size() != std::set(answer.calls.begin(), answer.calls.end()).size())) {
      return Failure{ErrorCode::kConflict, asked.calls.empty()
                                               ? "approval " + answer.approval + " has already been answered"
                                               : "approval " + answer.approval +
                                                     " does not ask about these calls, or they have been answered"};
    }
    AnswerRecord given = answer;
    given.run = run;
    given.calls.clear();
    for (ApprovalCall& call : meant) {
      given.calls.push_back(call.call);
      call.approved = answer.approved;
      call.reason = answer.reason;
      GLOVEBOX_TRY_VOID(write_decision(answer.approval, call));
    }
    id = GLOVEBOX_TRY(insert_answer(given));
    if (answer.approved && answer.scope != Scope::kOnce) {
      for (const std::string& rule : answer.rules) {
        auto insert = GLOVEBOX_TRY(database_->prepare(
            "INSERT INTO rules (scope, key, pattern, to_config, at, digest) VALUES (?, ?, ?, ?, ?, ?)"));
        const bool of_run = answer.scope == Scope::kRun;
        // A rule that goes to the config holds for the session until it has been written there.
        const RememberedRule made{0, of_run ? Scope::kRun : Scope::kSession, of_run ? run : session, rule,
                                  answer.scope == Scope::kAlways};
        const std::string digest = seal_.of(made);
        insert.bind(name_of(made.scope)).bind(made.key).bind(made.pattern).bind(made.to_config ? 1 : 0);
        GLOVEBOX_TRY_VOID(insert.bind(answer.at).bind(digest).run());
      }
    }
    GLOVEBOX_TRY_VOID(close_if_done(*database_, answer.approval));
    return database_->wake_others();
  }));
  return id;
}

Result<std::vector<AnswerRecord>> Store::answers_after(std::int64_t id) {
  return read([&] { return read_answers_after(id, Trust::kOursOnly); });
}

Result<std::vector<AnswerRecord>> Store::read_answers_after(std::int64_t id, Trust trust) {
  auto rows = GLOVEBOX_TRY(database_->prepare(
      "SELECT id, approval, run, calls, who, channel, scope, approved, reason, rules, at, digest FROM "
      "approval_answers WHERE id > ? ORDER BY id"));
  rows.bind(id);
  return read_answers(rows, trust);
}

Result<std::vector<AnswerRecord>> Store::answers_to(const std::string& approval) {
  return read([&]() -> Result<std::vector<AnswerRecord>> {
    auto rows =
        GLOVEBOX_TRY(database_->prepare("SELECT id, approval, run, calls, who, channel, scope, approved, reason, "
                                        "rules, at, digest FROM approval_answers "
                                        "WHERE approval = ? ORDER BY id"));
    rows.bind(approval);
    return read_answers(rows, Trust::kOursOnly);
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
    auto rows = GLOVEBOX_TRY(database_->prepare(
        "SELECT id, scope, key, pattern, to_config, digest FROM rules WHERE (scope = 'run' AND key = "
        "?) OR (scope = 'session' AND key = ?) ORDER BY id"));
    rows.bind(run).bind(session);
    return read_rules(rows, Trust::kOursOnly);
  });
}

Result<std::vector<RememberedRule>> Store::rules_to_write() {
  return read([&]() -> Result<std::vector<RememberedRule>> {
    auto rows = GLOVEBOX_TRY(
        database_->prepare("SELECT id, scope, key, pattern, to_config, digest FROM rules WHERE to_config <> 0 ORDER BY "
                           "id"));
    return read_rules(rows, Trust::kOursOnly);
  });
}

Result<void> Store::set_written(std::int64_t rule) {
  return write({"set_written", false, ""}, [&]() -> Result<void> {
    std::vector<RememberedRule> known;
    {
      auto rows =
          GLOVEBOX_TRY(database_->prepare("SELECT id, scope, key, pattern, to_config, digest FROM rules WHERE id = ?"));
      rows.bind(rule);
      known = GLOVEBOX_TRY(read_rules(rows, Trust::kOursOnly));
    }
    if (known.empty()) return {};
    known.front().to_config = false;
    const std::string digest = seal_.of(known.front());
    auto update = GLOVEBOX_TRY(database_->prepare("UPDATE rules SET to_config = 0, digest = ? WHERE id = ?"));
    return update.bind(digest).bind(rule).run();
  });
}

}  // namespace glovebox::store
