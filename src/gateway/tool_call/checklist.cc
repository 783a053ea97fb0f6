#include "gateway/tool_call/checklist.h"

#include "base/text/comma_list.h"
#include "base/text/framed_text.h"
#include "base/try.h"
#include "catalog/call/reported_failure.h"
#include "gateway/adoption/todays_grants.h"
#include "gateway/privacy/redaction.h"
#include "gateway/privacy/run_privacy.h"
#include "gateway/reuse/cached_call.h"
#include "gateway/runs/managed_run.h"
#include "gateway/runs/run_meters.h"
#include "glovebox/error_word.h"
#include "store/thread/ask_store.h"

namespace glovebox::gateway {

// The last step, and the friend of catalog::ApprovedCall: defined only here, so that nothing else can make one.
class CallApproval {
 public:
  static Says written_down(PendingCall& call, ManagedRun& run);
};

namespace {

using policy::Verdict;

Refuse refuse(PendingCall& call, ManagedRun& run, ErrorWord code, std::string message) {
  call.services->note(call_event("call.refused", call, run).text("code", code.name()));
  return {ToolFailure::Kind::kToolError, code, std::move(message)};
}

// The catalog's message may hold untrusted text, or details that are for the owner only.
Refuse refuse(PendingCall& call, ManagedRun& run, const catalog::CallFailure& failure) {
  const catalog::CallFailure reported = catalog::reported_failure(failure);
  AuditEvent record = call_event("call.refused", call, run);
  record.text("code", reported.code.name());
  if (reported.message != reported.detail) record.text("error", redacted_text(detail_of(reported)));
  call.services->note(record);
  return {ToolFailure::Kind::kToolError, reported.code, reported.message};
}

Refuse deny(PendingCall& call, ManagedRun& run, const std::string& why = "") {
  const std::string name = name_of_tool(call.tool);
  const std::string& rule = call.decision.rule;
  call.services->note(call_event("call.denied", call, run)
                          .json("arguments", redacted(call.call.arguments_json))
                          .text("verdict", "deny")
                          .text("rule", rule)
                          .text("origin", call.decision.origin));
  call.services->say(observe::Level::kWarn, "blocked: the policy denies a tool call",
                     {{"run", run.id()}, {"tool", name}, {"rule", rule}, {"client", run.client()}});
  return {ToolFailure::Kind::kDenied, "PERMISSION_DENIED",
          "Requires tool access to \"" + name + "\": denied by the rule \"" + rule + "\"" +
              (why.empty() ? "" : ": " + why)};
}

constexpr std::size_t kMostListed = 200;  // columns of patterns that a denial repeats

// As a denial names it: "only fs:read, fs:write, as the request says".
std::string list_as_rule(const std::vector<std::string>& patterns, const char* whose) {
  const std::string list = patterns.empty() ? "no tools" : "only " + base::comma_list(patterns);
  return base::one_line(list, kMostListed) + ", as " + whose + " says";
}

// ---- the steps

// Before anything else: it may have happened, whatever the tool is now.
Says not_begun(PendingCall& call, ManagedRun& run) {
  if (call.is_written || !run.was_begun(call.call.id)) return Proceed{};
  return refuse(call, run, "OUTCOME_UNKNOWN",
                "the gateway ended during this call: it may have had an effect, and is not repeated");
}

Says known(PendingCall& call, ManagedRun& run) {
  if (auto found = std::exchange(call.found, std::nullopt)) {
    if (!*found) return refuse(call, run, found->failure());
    call.tool = std::move(*found).value();
    call.is_known = true;
  }
  run.spans().call_resolved(call.call.id, call.tool);
  return Proceed{};
}

Says not_quarantined(PendingCall& call, ManagedRun& run) {
  const std::string name = name_of_tool(call.tool);
  switch (call.tool.state) {
    case catalog::Tool::State::kUsable: return Proceed{};
    case catalog::Tool::State::kQuarantined:
      return refuse(call, run, "TOOL_QUARANTINED", name + " is quarantined: " + call.tool.reason);
    case catalog::Tool::State::kRefused: break;
  }
  return refuse(call, run, "TOOL_REFUSED", name + " cannot be used: " + call.tool.reason);
}

Says arguments(PendingCall& call, ManagedRun& run) {
  if (policy::parse_arguments(call.call.arguments_json)) return Proceed{};
  return refuse(call, run, "INVALID_ARGUMENTS", "the arguments are not a JSON object, or contain a key twice");
}

// From here on, rules and people see what the server would get; the log has it redacted.
Says restored(PendingCall& call, ManagedRun& run) {
  const RunPrivacy* const privacy = run.privacy();
  if (!privacy) return Proceed{};
  std::string with_values = privacy->restored(call.tool.server, call.tool.name, call.call.arguments_json);
  // A token's value is not part of the code that the cache key covers.
  if (with_values != call.call.arguments_json) run.not_cacheable();
  call.call.arguments_json = std::move(with_values);
  return Proceed{};
}

Says rule(PendingCall& call, ManagedRun& run) {
  call.decision = run.rules().decide(call.tool.server, call.tool.name, call.call.arguments_json);
  if (call.decision.verdict == Verdict::kDeny) return deny(call, run);
  if (call.decision.verdict == Verdict::kAllow || run.rules().are_read()) return Proceed{};
  run.rules().read(run.weak_from_this(), [on_stored = call.on_stored] { on_stored([](PendingCall&) {}); });
  return WaitFor::kStore;
}

// A rule that allows the call does not know what data it carries.
Says flow(PendingCall& call, ManagedRun& run) {
  const RunPrivacy* const privacy = run.privacy();
  if (!privacy) return Proceed{};
  const auto reached = privacy->reaches(call.tool.server, call.tool.name, call.call.arguments_json);
  if (!reached) return Proceed{};
  policy::ToolDecision& decision = call.decision;
  if (decision.verdict == Verdict::kAllow || reached->denied) {
    decision.verdict = reached->denied ? Verdict::kDeny : Verdict::kAsk;
    decision.rule = reached->rule;
    decision.origin = "config";
  }
  decision.explanation = reached->why + ".\n" + decision.explanation;
  if (decision.verdict == Verdict::kDeny) return deny(call, run, reached->rule == "flows" ? "" : reached->why);
  return Proceed{};
}

// A person is not asked about a call that cannot be made.
Says schema(PendingCall& call, ManagedRun& run) {
  const auto wrong = call.source->why_not(call.tool, call.call.arguments_json);
  if (wrong) return refuse(call, run, *wrong);
  return Proceed{};
}

// Counted once per call: one that needed approval has been counted, perhaps in an earlier attempt.
Says rate(PendingCall& call, ManagedRun& run) {
  call.said = run.said_about(call.call.id, call.tool, call.call.arguments_json);
  if (std::exchange(call.counted, true) || call.said.kind != Said::Kind::kNothing) return Proceed{};
  const auto refusal = call.services->limits.take(call.tool.server, call.tool.name);
  if (!refusal) return Proceed{};
  call.services->meters->rate_limited.add({call.tool.server});
  call.services->say(observe::Level::kWarn, "blocked: too many calls in a minute",
                     {{"run", run.id()}, {"tool", name_of_tool(call.tool)}, {"limit", refusal->pattern}});
  return refuse(call, run, "RATE_LIMITED",
                "too many calls to " + refusal->pattern + " in a minute; try again in " +
                    std::to_string((refusal->retry_after.count() + 999) / 1000) + " s");
}

// What is needed first, such as a server that never ran here. Approving its request meets the need.
Says need(PendingCall& call, ManagedRun& run) {
  call.need = call.source->need(call.tool);
  if (!call.need || call.said.kind != Said::Kind::kApproved) return Proceed{};
  if (!call.need->can_be_met) return refuse(call, run, call.need->word(), call.need->text);
  if (const auto met = call.source->meet(call.tool); !met)
    return refuse(call, run, "NOT_INSTALLED", met.failure().message);
  call.need.reset();
  return Proceed{};
}

Says person(PendingCall& call, ManagedRun&) {
  if (call.said.kind == Said::Kind::kDenied) {
    const std::string& reason = call.said.reason;
    return Refuse{ToolFailure::Kind::kApprovalDenied, "APPROVAL_DENIED",
                  "A person denied " + name_of_tool(call.tool) + (reason.empty() ? "" : ": " + reason)};
  }
  const bool may = call.decision.verdict == Verdict::kAllow || call.said.kind == Said::Kind::kApproved;
  if (may && !call.need) return Proceed{};
  return WaitFor::kPerson;
}

Says room(PendingCall& call, ManagedRun& run) {
  if (has_room(call, run)) return Proceed{};
  return WaitFor::kRoom;
}

ManagedRun::Again again_of(const PendingCall& call) {
  const catalog::Tool& tool = call.tool;
  const auto twice = call.services->idempotent.decide(tool.server, tool.name, call.call.arguments_json);
  if (twice.verdict == Verdict::kAllow) return ManagedRun::Again::kNothing;
  return call.source->is_found_again(tool) ? ManagedRun::Again::kFound : ManagedRun::Again::kTwice;
}

// Once the store has marked the approval as used, it cannot be revoked; or it was, and this gateway does not know yet.
Says claim(PendingCall& call, ManagedRun& run) {
  const std::string& approval = call.said.approval;
  store::ask_store_until_back(
      call.services->store, call.services->executor, run.weak_from_this(),
      [approval, id = call.call.id](store::Store& store) { return store.begin_approved(approval, id); },
      [approval, on_stored = call.on_stored](const Result<void>& claim) {
        on_stored([&](PendingCall& waiting) {
          waiting.claimed = approval;
          waiting.claim = claim;
        });
      });
  return WaitFor::kStore;
}

struct Step {
  const char* name;
  Says (*check)(PendingCall& call, ManagedRun& run);
};

constexpr Step kSteps[] = {
    {"not begun", not_begun},
    {"known", known},
    {"not quarantined", not_quarantined},
    {"arguments", arguments},
    {"restored", restored},
    {"rule", rule},
    {"flow", flow},
    {"schema", schema},
    {"rate", rate},
    {"need", need},
    {"person", person},
    {"not cached", not_cached},
    {"room", room},
    {"written down", CallApproval::written_down},
};

}  // namespace

RunRules::RunRules(std::shared_ptr<const Services> services, const store::RunRecord& record,
                   const RunSettings& settings)
    : services_(std::move(services)), record_(record), settings_(settings) {
  limit_to(settings_.tools, "the request");
  limit_to(settings_.declared, "the capability");
  if (!settings_.profile) return;
  narrow_by(*settings_.profile);
  const auto today = todays_profile(settings_, *services_);
  if (today && *today != *settings_.profile) narrow_by(*today);
}

void RunRules::narrow_by(const policy::ClientProfile& profile) {
  limit_to(profile.tools, "the client's token");
  if (auto rules = policy::rules_of(profile, services_->workspace)) {
    of_client_.push_back(std::move(rules).value());
  } else {
    limit_to(std::vector<std::string>(), "the client's token");
  }
}

void RunRules::limit_to(const std::optional<std::vector<std::string>>& patterns, const char* whose) {
  if (!patterns) return;
  List& list = limited_to_.emplace_back();
  list.name = list_as_rule(*patterns, whose);
  for (const std::string& text : *patterns) {
    auto pattern = policy::ToolPattern::parse(text, services_->workspace);
    if (pattern) list.only.add({Verdict::kAllow, std::move(pattern).value(), "request"});
  }
}

void RunRules::read(const std::weak_ptr<const void>& run, std::function<void()> then) {
  // Calls go on in the order in which they came: those that come meanwhile wait for the same answer.
  waiting_.push_back(std::move(then));
  if (waiting_.size() > 1) return;
  store::ask_store_until_back(
      services_->store, services_->executor, run,
      [id = record_.id, session = record_.session](store::Store& store) { return store.rules_for(id, session); },
      [this, forgotten = forgotten_](const Result<std::vector<store::RememberedRule>>& rules) {
        // What was read before it was to be forgotten has to be read again.
        if (forgotten == forgotten_) remember(rules ? rules.value() : std::vector<store::RememberedRule>());
        for (const auto& go_on : std::exchange(waiting_, {})) go_on();
      });
}

void RunRules::remember(const std::vector<store::RememberedRule>& rules) {
  remembered_.emplace();
  remembered_->set_own(services_->rules.own());
  for (const store::RememberedRule& rule : rules) {
    auto pattern = policy::ToolPattern::parse(rule.pattern, services_->workspace);
    if (!pattern) continue;
    remembered_->add({Verdict::kAllow, std::move(pattern).value(), std::string(name_of(rule.scope))});
  }
}

policy::ToolDecision RunRules::decide(const std::string& server, const std::string& tool,
                                      const std::string& arguments) const {
  for (const List& list : limited_to_) {
    if (list.only.decide(server, tool, arguments).verdict == Verdict::kAllow) continue;
    policy::ToolDecision decision;
    decision.verdict = Verdict::kDeny;
    decision.rule = list.name;
    decision.origin = "request";
    decision.explanation = server + ":" + tool + " is not among the tools that this run or its client may use.";
    return decision;
  }
  policy::ToolDecision decision = services_->rules.decide(server, tool, arguments);
  for (const policy::ToolRules& rules : of_client_) {
    policy::ToolDecision narrower = rules.decide(server, tool, arguments);
    if (narrower.verdict > decision.verdict) decision = std::move(narrower);
  }
  if (decision.verdict != Verdict::kAsk || !remembered_) return decision;
  // A person may have approved more than the calls that were asked about.
  policy::ToolDecision again = remembered_->decide(server, tool, arguments);
  return again.verdict == Verdict::kAllow ? again : decision;
}

// What cannot be recorded does not happen. A call that a person approved is on disk before it begins; a sync for each
// call that a rule allows would cost more than most calls, and is the owner's choice (audit.sync).
Says CallApproval::written_down(PendingCall& call, ManagedRun& run) {
  const bool by_person = call.said.kind == Said::Kind::kApproved;
  if (by_person && call.claimed != call.said.approval) return claim(call, run);
  if (by_person && !call.claim) {
    call.claimed.clear();
    const Failure& failure = call.claim.failure();
    if (failure.code != ErrorCode::kConflict) return refuse(call, run, {"STORE_UNAVAILABLE", failure.message});
    return Refuse{ToolFailure::Kind::kApprovalDenied, "APPROVAL_DENIED",
                  "A person denied " + name_of_tool(call.tool) + ": " + failure.message};
  }
  if (call.is_written) return catalog::ApprovedCall(call.tool, call.call.arguments_json);
  const bool by_rule = call.decision.verdict == Verdict::kAllow;
  AuditEvent record = call_event("call.begun", call, run);
  record.json("arguments", call.shown_arguments = redacted(call.call.arguments_json))
      .text("definition", call.tool.hash);
  if (by_rule) {
    record.text("verdict", "allow").text("rule", call.decision.rule).text("origin", call.decision.origin);
  } else {
    record.text("verdict", "approved").text("approval", call.said.approval);
    record.text("approver", call.said.who).text("channel", call.said.channel);
  }
  auto written = call.services->audit.append(record);
  if (written && !by_rule) written = call.services->audit.sync();
  if (!written) return refuse(call, run, {"AUDIT_UNAVAILABLE", written.failure().message});
  const auto on_written = [on_stored = call.on_stored] {
    on_stored([](PendingCall& waiting) { waiting.is_written = true; });
  };
  if (run.begin(call.call.id, again_of(call), on_written)) return WaitFor::kStore;
  return catalog::ApprovedCall(call.tool, call.call.arguments_json);
}

Says check_call(PendingCall& call, ManagedRun& run) {
  Says says = Proceed{};
  for (const Step& step : kSteps) {
    call.step = step.name;
    says = step.check(call, run);
    if (!std::holds_alternative<Proceed>(says)) break;
  }
  GLOVEBOX_CHECK(!std::holds_alternative<Proceed>(says));
  return says;
}

std::vector<std::string> step_names() {
  std::vector<std::string> names;
  for (const Step& step : kSteps) names.emplace_back(step.name);
  return names;
}

bool has_room(const PendingCall& call, const ManagedRun& run) {
  return run.has_room() && call.services->limits.has_room(call.tool.server, call.tool.name);
}

}  // namespace glovebox::gateway
