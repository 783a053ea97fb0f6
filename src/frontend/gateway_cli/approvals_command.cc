#include "frontend/gateway_cli/approvals_command.h"

#include <boost/json.hpp>
#include <memory>

#include "base/json_text.h"
#include "frontend/cli/command.h"
#include "frontend/cli/exit_codes.h"
#include "frontend/gateway_cli/report.h"
#include "frontend/gateway_cli/with_store.h"
#include "frontend/gateway_cli/workspace.h"
#include "gateway/approval_answer.h"
#include "gateway/liveness.h"
#include "gateway/poke.h"

namespace glovebox::frontend {
namespace {

namespace json = boost::json;

struct ApprovalsOptions {
  WorkspaceFlags where;
  std::string id;
  std::string run;
  bool all = false;
  std::string scope = "once";
  std::string reason;
  std::vector<std::uint64_t> calls;
  std::vector<std::string> rules;
};

std::string text_in_card(const json::value& card, const char* key) {
  const json::value* value = card.is_object() ? card.get_object().if_contains(key) : nullptr;
  return value && value->is_string() ? std::string(value->get_string()) : "";
}

json::value parsed(const std::string& card) {
  json::error_code error;
  json::value tree = json::parse(card, error);
  return error ? json::value(nullptr) : tree;
}

int list_approvals(const ApprovalsOptions& options) {
  return with_store(options.where, fail_to_change, [&](const Workspace&, store::Store* store) {
    std::vector<store::ApprovalRecord> approvals;
    if (store) {
      auto found = store->approvals(options.run, !options.all);
      if (!found) return fail_to_change(found.failure(), options.where.json);
      approvals = std::move(found).value();
    }
    std::string out = R"({"ok":true,"approvals":[)";
    for (const store::ApprovalRecord& approval : approvals) {
      const json::value card = parsed(approval.card);
      if (out.back() != '[') out += ',';
      out += R"({"id":)" + json_text(approval.id) + R"(,"run":)" + json_text(approval.run) + R"(,"state":)" +
             json_text(name_of(approval.state)) + R"(,"created":)" + std::to_string(approval.created) + R"(,"title":)" +
             json_text(text_in_card(card, "title")) + R"(,"intent":)" + json_text(text_in_card(card, "intent")) +
             R"(,"calls":)" + std::to_string(approval.calls.size()) + "}";
      if (!options.where.json) {
        const std::string state = options.all ? "\t" + std::string(name_of(approval.state)) : "";
        print_line(approval.id + "\t" + age_of(approval.created) + state + "\t" + text_in_card(card, "title"));
      }
    }
    if (options.where.json) print_json(out + "]}");
    if (!options.where.json && approvals.empty()) print_line("Nothing waits.");
    return static_cast<int>(kOk);
  });
}

void show_for_people(const store::ApprovalRecord& approval) {
  const json::value card = parsed(approval.card);
  print_line(text_in_card(card, "title"));
  print_line("  approval " + approval.id + ", " + std::string(name_of(approval.state)) + ", asked " +
             age_of(approval.created) + " ago");
  print_line("  run " + approval.run + " of " + text_in_card(card, "client"));
  if (const auto intent = text_in_card(card, "intent"); !intent.empty()) print_line("  meant for: " + intent);
  print_line("\nCode:");
  print_line(text_in_card(card, "code"));
  const json::value* before = card.is_object() ? card.get_object().if_contains("before") : nullptr;
  if (before && before->is_array() && !before->get_array().empty()) {
    print_line("\nWhat ran before:");
    for (const json::value& entry : before->get_array()) {
      print_line("  " + text_in_card(entry, "tool") + ": " + text_in_card(entry, "outcome"));
    }
  }
  const json::value* plan = card.is_object() ? card.get_object().if_contains("plan") : nullptr;
  if (plan && !plan->is_null()) print_line("\nThe code can call:\n" + base::pretty_json(json::serialize(*plan)));
  print_line("\nCalls:");
  for (const store::ApprovalCall& call : approval.calls) {
    const char* said = !call.approved ? "" : *call.approved ? " (approved)" : " (denied)";
    print_line("  --call " + std::to_string(call.call) + "  " + call.server + ":" + call.tool + said);
    print_line(base::pretty_json(call.arguments));
  }
  const json::value* groups = card.is_object() ? card.get_object().if_contains("groups") : nullptr;
  if (!groups || !groups->is_array()) return;
  print_line("\nFor more than these calls, a yes would allow:");
  for (const json::value& group : groups->get_array()) {
    const std::string rule = text_in_card(group, "rule");
    print_line("  " + (rule.empty() ? text_in_card(group, "tool") + ": no rule says it; approve once" : rule));
  }
}

int show_approval(const ApprovalsOptions& options) {
  return with_store(options.where, fail_to_change, [&](const Workspace&, store::Store* store) -> int {
    const bool as_json = options.where.json;
    const Failure missing{ErrorCode::kNotFound, "there is no approval " + options.id};
    if (!store) return fail_to_change(missing, as_json);
    const auto approval = store->find_approval(options.id);
    if (!approval) return fail_to_change(approval.failure(), as_json);
    if (!approval.value()) return fail_to_change(missing, as_json);
    if (!as_json) {
      show_for_people(*approval.value());
      return kOk;
    }
    std::string out = R"({"ok":true,"state":)" + json_text(name_of(approval.value()->state)) + R"(,"card":)" +
                      approval.value()->card + R"(,"calls":[)";
    for (const store::ApprovalCall& call : approval.value()->calls) {
      if (out.back() != '[') out += ',';
      out += R"({"call":)" + std::to_string(call.call) + R"(,"approved":)" +
             (!call.approved   ? "null"
              : *call.approved ? "true"
                               : "false") +
             R"(,"reason":)" + json_text(call.reason) + "}";
    }
    print_json(out + "]}");
    return kOk;
  });
}

int answer_approvals(const ApprovalsOptions& options, bool approved) {
  const bool as_json = options.where.json;
  const auto scope = store::scope_of(options.scope);
  if (!scope) return fail_usage("--scope is once, run, session or always", as_json);
  if (!options.rules.empty() && *scope == store::Scope::kOnce) {
    return fail_usage("--rule goes with --scope run, session or always", as_json);
  }
  return with_store(options.where, fail_to_change, [&](const Workspace& workspace, store::Store* store) -> int {
    if (!store) return fail_to_change({ErrorCode::kNotFound, "there is no approval " + options.id}, as_json);
    const auto receipt = gateway::give_answer(
        *store, {options.id, options.calls, approved, *scope, options.reason, options.rules, this_person(), "cli"},
        workspace.folder, now_ms());
    if (!receipt) return fail_to_change(receipt.failure(), as_json);
    const bool alive = gateway::owner_lives(*store, workspace.state_folder, receipt->owner);
    gateway::poke(workspace.state_folder, receipt->owner);
    if (as_json) {
      std::string out = std::string(R"({"ok":true,"approved":)") + (approved ? "true" : "false") + R"(,"run":)" +
                        json_text(receipt->run) + R"(,"gatewayRuns":)" + (alive ? "true" : "false") + R"(,"rules":[)";
      for (const std::string& rule : receipt->rules) out += (out.back() == '[' ? "" : ",") + json_text(rule);
      print_json(out + "]}");
      return kOk;
    }
    print_line(std::string(approved ? "Approved" : "Denied") + "; " +
               (alive ? "run " + receipt->run + " goes on."
                      : "run " + receipt->run + " goes on when a gateway runs in this workspace."));
    for (const std::string& rule : receipt->rules) print_line("Allowed from now on: " + rule);
    return kOk;
  });
}

}  // namespace

void add_approvals_command(Command& app) {
  const auto options = std::make_shared<ApprovalsOptions>();
  Command* command = app.add_subcommand("approvals", "Show and answer what waits for a person");
  command->require_subcommand();
  const auto add = [&](const char* name, const char* what, std::function<int()> run) {
    Command* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    inner->runs(std::move(run));
    return inner;
  };
  Command* listing = add("ls", "Show what waits", [options] { return list_approvals(*options); });
  listing->add_flag("--all", options->all, "Also what has been answered");
  listing->add_option("--run", options->run, "Of one run")->type_name("RUN");
  Command* showing =
      add("show", "Show code, calls and arguments in full", [options] { return show_approval(*options); });
  Command* approving = add("approve", "Let the calls be made", [options] { return answer_approvals(*options, true); });
  approving->add_option("--scope", options->scope, "once (these calls), run, session or always (once)")
      ->type_name("SCOPE");
  approving->add_option("--rule", options->rules, "What to allow beyond these calls, instead of what the card offers")
      ->type_name("PATTERN")
      ->one_at_a_time();
  Command* denying = add("deny", "Do not let them be made", [options] { return answer_approvals(*options, false); });
  for (Command* inner : {showing, approving, denying}) {
    inner->add_option("id", options->id, "The approval")->type_name("ID")->required();
  }
  for (Command* inner : {approving, denying}) {
    inner->add_option("--call", options->calls, "Only this call of the card; may be repeated")
        ->type_name("N")
        ->one_at_a_time();
    inner->add_option("--reason", options->reason, "For the record; with a no the code is told it")->type_name("TEXT");
  }
}

}  // namespace glovebox::frontend
