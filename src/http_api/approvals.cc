// Approval requests: what waits for a person, and their answers.
#include <algorithm>
#include <map>

#include "base/digest.h"
#include "base/text/json_builder.h"
#include "base/text/json_slice.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/wake.h"
#include "gateway/approvals/approval_answer.h"
#include "http_api/problem.h"
#include "http_api/routes.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

constexpr base::SliceOptions kWholeRequest{.max_depth = 1200};

json::object to_json(const store::ApprovalCall& call) {
  json::object out = {{"call", call.call}, {"server", call.server}, {"tool", call.tool}, {"reason", call.reason}};
  out["approved"] = call.approved ? json::value(*call.approved) : json::value(nullptr);
  out["begun"] = call.begun;
  return out;
}

json::object to_json(const store::AnswerRecord& answer) {
  json::array rules;
  for (const std::string& rule : answer.rules) rules.emplace_back(rule);
  json::array calls;
  for (const std::uint64_t call : answer.calls) calls.emplace_back(call);
  return {{"who", answer.who},
          {"channel", answer.channel},
          {"scope", json::string(store::name_of(answer.scope))},
          {"approved", answer.approved},
          {"reason", answer.reason},
          {"rules", std::move(rules)},
          {"calls", std::move(calls)},
          {"at", answer.at}};
}

// What a list needs of an approval request, without the long parts. What is not shown is not parsed.
std::string short_approval(const std::string& request) {
  const auto members = base::JsonSlices::of(request, kWholeRequest);
  if (!members) return "null";
  base::ObjectText out;
  for (const char* part : {"kind", "need", "title", "client", "workspace", "intent", "language", "calls", "options"})
    out.json_if(part, members->raw(part));
  return out.done();
}

// One of a list that may be long: without what would need its run to be read.
Result<std::string> in_brief(store::Store& store, const store::ApprovalRecord& approval) {
  json::array calls;
  bool any_answer = false;
  for (const store::ApprovalCall& call : approval.calls) {
    calls.push_back(to_json(call));
    any_answer = any_answer || call.approved;
  }
  json::array answers;
  if (any_answer)
    for (const auto& answer : GLOVEBOX_TRY(store.answers_to(approval.id))) answers.push_back(to_json(answer));
  const std::string text = json::serialize(json::object{{"id", approval.id},
                                                        {"run", approval.run},
                                                        {"created", approval.created},
                                                        {"state", json::string(store::name_of(approval.state))},
                                                        {"digest", base::sha256_hex(approval.card)},
                                                        {"calls", std::move(calls)},
                                                        {"answers", std::move(answers)}});
  return base::ObjectText().members(text).json("card", short_approval(approval.card)).done();
}

// Whether a gateway is alive is checked once for all that it drives.
class Living {
 public:
  Living(store::Store& store, std::string state_folder) : store_(store), state_folder_(std::move(state_folder)) {}
  bool drives(const std::string& owner) {
    const auto [found, is_new] = known_.try_emplace(owner, false);
    if (is_new) found->second = gateway::owner_lives(store_, state_folder_, owner);
    return found->second;
  }

 private:
  store::Store& store_;
  std::string state_folder_;
  std::map<std::string, bool> known_;
};

// The request is passed on as it is: its digest is that of its text.
Result<std::string> shown(store::Store& store, const store::ApprovalRecord& approval, Living& living) {
  json::array calls;
  for (const store::ApprovalCall& call : approval.calls) calls.push_back(to_json(call));
  json::array answers;
  for (const auto& answer : GLOVEBOX_TRY(store.answers_to(approval.id))) answers.push_back(to_json(answer));
  const auto run = GLOVEBOX_TRY(store.find_run_in_short(approval.run));
  const bool driven = run && living.drives(run->owner);
  const bool can_take_back = run && !run->ended &&
                             std::any_of(approval.calls.begin(), approval.calls.end(),
                                         [](const auto& call) { return call.approved.value_or(false) && !call.begun; });
  const std::string text = json::serialize(json::object{{"id", approval.id},
                                                        {"run", approval.run},
                                                        {"created", approval.created},
                                                        {"state", json::string(store::name_of(approval.state))},
                                                        {"digest", base::sha256_hex(approval.card)},
                                                        {"gatewayRuns", driven},
                                                        {"canTakeBack", can_take_back},
                                                        {"calls", std::move(calls)},
                                                        {"answers", std::move(answers)}});
  // A key that comes twice would be read differently by different programs.
  const bool is_json = base::check_json(approval.card, {.max_depth = 1200, .unique_keys = true}).ok();
  return base::ObjectText().members(text).json("card", is_json ? std::string_view(approval.card) : "null").done();
}

struct ApprovalFilter {
  store::WantedApprovals wanted;
  bool is_short = false;
};

Result<ApprovalFilter> approval_filter_in(const UrlQuery& query) {
  const std::string state = query.text("state");
  if (!state.empty() && state != "pending" && state != "all") {
    return Failure{ErrorCode::kInvalidArgument, R"("state" is pending or all)"};
  }
  ApprovalFilter filter;
  filter.wanted.pending_only = state != "all";
  filter.wanted.after = query.text("after");
  filter.wanted.most = static_cast<std::size_t>(GLOVEBOX_TRY(query.number("limit", 200, 1, 2000)));
  filter.is_short = GLOVEBOX_TRY(query.number("short", 0, 0, 1)) == 1;
  return filter;
}

// As JSON.
Result<std::string> found_approvals(const ApiRequest& request) {
  const ApprovalFilter filter = GLOVEBOX_TRY(approval_filter_in(request.query));
  const store::ApprovalPage page = GLOVEBOX_TRY(request.store.page_of_approvals(filter.wanted));
  base::ListText out;
  Living living(request.store, request.state_folder);
  for (const auto& record : page.approvals) {
    out.json(filter.is_short ? GLOVEBOX_TRY(in_brief(request.store, record))
                             : GLOVEBOX_TRY(shown(request.store, record, living)));
  }
  return base::ObjectText().json("approvals", out.done()).text_or_null("next", page.next).done();
}

Result<std::string> one_approval(const ApiRequest& request) {
  const auto record = GLOVEBOX_TRY(request.store.find_approval(request.id));
  if (!record) return Failure{ErrorCode::kNotFound, "there is no approval " + request.id};
  Living living(request.store, request.state_folder);
  return shown(request.store, *record, living);
}

Result<gateway::ApprovalAnswer> answer_in(const ApiRequest& request) {
  const json::object& said = request.body;
  const auto wrong = [](std::string text) { return Failure{ErrorCode::kInvalidArgument, std::move(text)}; };
  const std::string decision = mcp::string_member(said, "decision").value_or("");
  if (decision != "approve" && decision != "deny")
    return wrong(R"("decision" must be "approve", "deny" or "take_back")");
  gateway::ApprovalAnswer answer;
  answer.approval = request.id;
  answer.approved = decision == "approve";
  answer.reason = mcp::string_member(said, "reason").value_or("");
  answer.who = request.caller.principal;
  answer.channel = "http";
  answer.shown = mcp::string_member(said, "digest").value_or("");
  if (answer.approved && answer.shown.empty()) {
    return wrong(R"(an approval names by "digest" the request that the person saw; it comes with the request)");
  }
  if (const auto* scope = mcp::member(said, "scope")) {
    const auto named = scope->is_string() ? store::scope_of(mcp::view_of(scope->get_string())) : std::nullopt;
    if (!named) return wrong(R"("scope" must be "once", "run", "session" or "always")");
    answer.scope = *named;
  }
  if (const auto* calls = mcp::member(said, "calls")) {
    if (!calls->is_array() || calls->get_array().empty())
      return wrong(R"("calls" must be a list of numbers; leave it out to answer for all)");
    for (const auto& call : calls->get_array()) {
      std::error_code bad;
      answer.calls.push_back(call.to_number<std::uint64_t>(bad));
      if (bad) return wrong(R"("calls" must be a list of numbers)");
    }
  }
  if (const auto* rules = mcp::member(said, "rules")) {
    if (!rules->is_array() || answer.scope == store::Scope::kOnce || !answer.approved)
      return wrong(R"("rules" is a list of patterns, and needs an approval whose "scope" is more than "once")");
    for (const auto& rule : rules->get_array()) {
      if (!rule.is_string()) return wrong(R"("rules" must be a list of texts)");
      answer.rules.emplace_back(mcp::view_of(rule.get_string()));
    }
  }
  return answer;
}

mcp::PlainResponse take_approval_back(const ApiRequest& request) {
  const std::string shown = mcp::string_member(request.body, "digest").value_or("");
  const auto receipt =
      gateway::take_back(request.store, {request.id, request.caller.principal, "http", shown}, base::now_ms());
  if (!receipt) return problem_of(receipt.failure());
  gateway::wake_gateway(request.state_folder, receipt->owner);
  json::array rules;
  for (const std::string& rule : receipt->rules_in_config) rules.emplace_back(rule);
  return {200, json::serialize(
                   json::object{{"approval", request.id}, {"run", receipt->run}, {"rulesInConfig", std::move(rules)}})};
}

}  // namespace

mcp::PlainResponse list_approvals(const ApiRequest& request) {
  return respond_with_text(found_approvals(request));
}

mcp::PlainResponse show_approval(const ApiRequest& request) {
  return respond_with_text(one_approval(request));
}

mcp::PlainResponse answer_approval(const ApiRequest& request) {
  if (mcp::string_member(request.body, "decision") == "take_back") return take_approval_back(request);
  const auto answer = answer_in(request);
  if (!answer) return problem_of(answer.failure());
  const auto receipt = gateway::give_answer(request.store, answer.value(), request.folder, base::now_ms());
  if (!receipt) return problem_of(receipt.failure());
  gateway::wake_gateway(request.state_folder, receipt->owner);
  json::array rules;
  for (const std::string& rule : receipt->rules) rules.emplace_back(rule);
  const bool driven = gateway::owner_lives(request.store, request.state_folder, receipt->owner);
  return {200,
          json::serialize(json::object{
              {"approval", request.id}, {"run", receipt->run}, {"rules", std::move(rules)}, {"gatewayRuns", driven}})};
}

}  // namespace glovebox::http_api
