#include "cli/approvals/approvals_command.h"

#include <unistd.h>

#include <boost/json.hpp>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <thread>

#include "assembly/tokens/access_tokens.h"
#include "base/digest.h"
#include "base/text/framed_text.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "cli/session/confirmation.h"
#include "gateway/adoption/liveness.h"
#include "gateway/adoption/wake.h"
#include "gateway/approvals/approval_answer.h"
#include "gateway/approvals/approval_text.h"
#include "http_api/stored_json.h"
#include "mcp/json/json_tree.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"
#include "workspace/typed_id.h"
#include "workspace/watched_workspaces.h"
#include "workspace/with_store.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

namespace json = boost::json;

// In a list.
constexpr std::size_t kMostCallColumns = 80;
constexpr std::chrono::milliseconds kWatchPause{200};

struct ApprovalsOptions {
  WorkspaceFlags where;
  std::string id;
  std::string run;
  bool all = false;
  std::string scope = "once";
  std::string reason;
  std::string token;
  std::vector<std::uint64_t> calls;
  std::vector<std::string> rules;
};

std::string text_in_request(const json::value& request, const char* key) {
  const json::value* value = request.is_object() ? request.get_object().if_contains(key) : nullptr;
  return value && value->is_string() ? std::string(value->get_string()) : "";
}

// "shell:exec {"command":"ls"}", and how many more there are.
std::string calls_in_short(const store::ApprovalRecord& approval, const json::value& request) {
  if (approval.calls.empty()) return base::one_line(text_in_request(request, "title"), kMostCallColumns);
  const store::ApprovalCall& first = approval.calls.front();
  const std::string call = first.server + ":" + first.tool + " " + first.arguments;
  const std::size_t more = approval.calls.size() - 1;
  return base::one_line(call, kMostCallColumns) + (more > 0 ? "  and " + std::to_string(more) + " more" : "");
}

// "claude-code (stdio)", or who it is alone.
std::string shown_client(const json::value& request) {
  const std::string name = text_in_request(request, "client_name");
  const std::string client = text_in_request(request, "client");
  return base::one_line(name.empty() ? client : name + " (" + client + ")", 30);
}

// What a list shows of a request, which itself may be megabytes.
struct ListedApproval {
  std::string id;
  std::string run;
  store::ApprovalRecord::State state;
  std::int64_t created = 0;
  std::size_t call_count = 0;
  std::string title;
  std::string intent;
  std::string client;  // these two are cut
  std::string calls;
};

ListedApproval listed(const store::ApprovalRecord& approval) {
  const json::value request = http_api::stored_json(approval.card);
  return {approval.id,
          approval.run,
          approval.state,
          approval.created,
          approval.calls.size(),
          text_in_request(request, "title"),
          text_in_request(request, "intent"),
          shown_client(request),
          calls_in_short(approval, request)};
}

// Of one run, or of all if it is empty; oldest first, and one at a time in memory.
Result<void> for_each_approval(store::Store& store, const std::string& run, bool pending_only,
                               const std::function<void(const store::ApprovalRecord&)>& show) {
  for (const std::string& id : GLOVEBOX_TRY(store.approval_ids(run, pending_only))) {
    const auto approval = GLOVEBOX_TRY(store.find_approval(id));
    if (approval) show(*approval);
  }
  return {};
}

void print_approvals(const std::vector<ListedApproval>& approvals, bool with_state) {
  if (approvals.empty()) return print_line("Nothing is waiting.");
  std::vector<std::vector<std::string>> rows = {{"ID", "AGE", "CLIENT", "CALLS"}};
  for (const ListedApproval& one : approvals) rows.push_back({one.id, age_of(one.created), one.client, one.calls});
  for (std::size_t i = 0; with_state && i < rows.size(); ++i) {
    rows[i].insert(rows[i].begin() + 2, i == 0 ? "STATE" : std::string(name_of(approvals[i - 1].state)));
  }
  print_table(rows);
}

std::string json_of(const ListedApproval& one) {
  ObjectText out;
  out.text("id", one.id).text("run", one.run).text("state", name_of(one.state));
  out.number("created", one.created).text("title", one.title);
  return out.text("intent", one.intent).number("calls", one.call_count).done();
}

int list_approvals(const ApprovalsOptions& options) {
  return with_store(options.where, fail_to_change, [&](const Workspace&, store::Store* store) {
    std::vector<ListedApproval> approvals;
    if (store) {
      const auto read = for_each_approval(*store, options.run, !options.all,
                                          [&](const store::ApprovalRecord& one) { approvals.push_back(listed(one)); });
      if (!read) return fail_to_change(read.failure(), options.where.json);
    }
    if (!options.where.json) {
      print_approvals(approvals, options.all);
      return static_cast<int>(kOk);
    }
    print_json(ObjectText().flag("ok", true).json("approvals", json_list(approvals, json_of)).done());
    return static_cast<int>(kOk);
  });
}

void print_new(const ListedApproval& one, bool as_json) {
  if (as_json) return print_json(json_of(one));
  print_line(one.id + "  " + one.client + "  " + one.calls);
  if (::isatty(STDOUT_FILENO)) std::fputc('\a', stdout);
}

// What waits now and from now on, until standard output is closed or the command is interrupted.
int watch_approvals(const ApprovalsOptions& options) {
  const bool as_json = options.where.json;
  const auto watched = watch_workspaces({options.where});
  if (!watched) return fail_usage(watched.failure().message, as_json);
  std::set<std::string> seen;
  for (std::string mark; std::fflush(stdout) == 0; std::this_thread::sleep_for(kWatchPause)) {
    const auto store = watched->front().store();
    if (!store) return fail_to_read(store.failure(), as_json);
    if (!store.value()) continue;
    const auto now = store.value()->change_mark();
    if (now && now.value() == mark) continue;
    const auto waiting = store.value()->approval_ids(options.run, true);
    // A store that cannot be read for a while may come back.
    if (!now || !waiting) continue;
    bool all_read = true;
    for (const std::string& id : waiting.value()) {
      if (seen.contains(id)) continue;
      const auto approval = store.value()->find_approval(id);
      all_read = all_read && approval.ok();
      if (!approval || !seen.insert(id).second) continue;
      if (approval.value()) print_new(listed(*approval.value()), as_json);
    }
    if (all_read) mark = now.value();
  }
  return kOk;
}

gateway::ApprovalRequest as_request(const store::ApprovalRecord& approval) {
  return {approval.id, approval.run, "", approval.card};
}

void show_for_people(const store::ApprovalRecord& approval) {
  const json::value request = http_api::stored_json(approval.card);
  const json::value* plan = request.is_object() ? request.get_object().if_contains("plan") : nullptr;
  if (plan && !plan->is_null()) {
    print_line("The code can call:\n" + base::framed(base::pretty_json(json::serialize(*plan)), {}));
  }
  gateway::ApprovalLayout layout;
  layout.code_lines = static_cast<std::size_t>(-1);
  print_line(gateway::approval_text(as_request(approval), layout));
  print_line("Approval " + approval.id + " of run " + approval.run + ", " + std::string(name_of(approval.state)) +
             ", asked " + age_of(approval.created) + " ago");
  for (const store::ApprovalCall& call : approval.calls) {
    if (call.approved) print_line("  call " + std::to_string(call.call) + (*call.approved ? ": approved" : ": denied"));
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
    const std::string calls = json_list(approval.value()->calls, [](const store::ApprovalCall& call) {
      const char* approved = !call.approved ? "null" : *call.approved ? "true" : "false";
      return ObjectText().number("call", call.call).json("approved", approved).text("reason", call.reason).done();
    });
    ObjectText out;
    out.flag("ok", true).text("state", name_of(approval.value()->state)).json("card", approval.value()->card);
    print_json(out.json("calls", calls).done());
    return kOk;
  });
}

// What a yes with these options covers, where that is not exactly the approval request as shown.
std::string note_on(const ApprovalsOptions& options) {
  std::string note;
  for (const std::uint64_t call : options.calls) note += (note.empty() ? "Only number " : ", ") + std::to_string(call);
  if (!note.empty()) note += "\n";
  if (options.scope != "once") note += "Beyond this once: " + options.scope + "\n";
  for (const std::string& rule : options.rules) note += "With this rule instead:\n" + base::framed(rule, {});
  return note;
}

// The holder of the token that was given, if that is one to answer with.
std::optional<std::string> approver_of(const ApprovalsOptions& options, const Workspace& workspace) {
  const auto token = assembly::AccessTokens(workspace.state_folder).find(options.token, base::now_ms());
  if (!token || (token->role != assembly::Role::kApprover && token->role != assembly::Role::kOperator))
    return std::nullopt;
  return "token " + token->id;
}

int give(const ApprovalsOptions& options, const gateway::ApprovalAnswer& answer, const Workspace& workspace,
         store::Store& store) {
  const bool as_json = options.where.json;
  const auto receipt = gateway::give_answer(store, answer, workspace.folder, base::now_ms());
  if (!receipt) return fail_to_change(receipt.failure(), as_json);
  const bool alive = gateway::owner_lives(store, workspace.state_folder, receipt->owner);
  gateway::wake_gateway(workspace.state_folder, receipt->owner);
  if (as_json) {
    ObjectText out;
    out.flag("ok", true).flag("approved", answer.approved).text("run", receipt->run).flag("gatewayRuns", alive);
    print_json(out.json("rules", text_list(receipt->rules)).done());
    return kOk;
  }
  print_line(std::string(answer.approved ? "Approved" : "Denied") + "; " +
             (alive ? "run " + receipt->run + " continues."
                    : "no gateway is running it now; resume it with: glovebox runs resume " + receipt->run));
  const char* allowed = answer.scope == store::Scope::kRun       ? "Allowed in this run: "
                        : answer.scope == store::Scope::kSession ? "Allowed until the session ends: "
                                                                 : "Allowed from now on: ";
  for (const std::string& rule : receipt->rules) print_line(allowed + rule);
  return kOk;
}

int answer_approvals(const ApprovalsOptions& options, bool approved) {
  const bool as_json = options.where.json;
  const auto scope = store::scope_of(options.scope);
  if (!scope) return fail_usage("--scope is once, run, session or always", as_json);
  if (!options.rules.empty() && *scope == store::Scope::kOnce) {
    return fail_usage("--rule needs --scope run, session or always", as_json);
  }
  return with_store(options.where, fail_to_change, [&](const Workspace& workspace, store::Store* store) -> int {
    const Failure missing{ErrorCode::kNotFound, "there is no approval " + options.id};
    if (!store) return fail_to_change(missing, as_json);
    const auto approval = store->find_approval(options.id);
    if (!approval) return fail_to_change(approval.failure(), as_json);
    if (!approval.value()) return fail_to_change(missing, as_json);
    std::optional<std::string> who = this_person();
    if (!options.token.empty()) who = approver_of(options, workspace);
    if (!who) {
      return fail_with(kPolicyDenied, "NOT_APPROVED", "the token may not answer, or is no longer valid", as_json);
    }
    // No code is needed to deny, nor for a request that is already answered.
    if (approved && options.token.empty() && approval.value()->state == store::ApprovalRecord::State::kPending) {
      const auto yes = confirmed_by_code(as_request(*approval.value()), note_on(options));
      if (!yes) {
        return fail_with(
            kWaiting, "APPROVAL_REQUIRED",
            "approving needs a person: run this at a terminal. Programs answer with an approver's token: --token, or "
            "the API of `glovebox serve --http` (docs/api.md)",
            as_json);
      }
      if (!*yes) return fail_with(kPolicyDenied, "NOT_APPROVED", "no answer was recorded", as_json);
    }
    return give(options,
                {options.id, options.calls, approved, *scope, options.reason, options.rules, *who, "cli",
                 base::sha256_hex(approval.value()->card)},
                workspace, *store);
  });
}

// One that another answer has settled meanwhile is not a failure: it does not wait any more.
int deny_all(const ApprovalsOptions& options) {
  const bool as_json = options.where.json;
  return with_store(options.where, fail_to_change, [&](const Workspace& workspace, store::Store* store) -> int {
    ListText denied;
    std::size_t count = 0;
    if (store) {
      std::optional<Failure> failed;
      const auto read = for_each_approval(*store, options.run, true, [&](const store::ApprovalRecord& approval) {
        const gateway::ApprovalAnswer no{approval.id,
                                         {},
                                         false,
                                         store::Scope::kOnce,
                                         options.reason,
                                         {},
                                         this_person(),
                                         "cli",
                                         base::sha256_hex(approval.card)};
        if (failed) return;
        const auto receipt = gateway::give_answer(*store, no, workspace.folder, base::now_ms());
        if (!receipt && receipt.failure().code == ErrorCode::kSystem) failed = receipt.failure();
        if (!receipt) return;
        gateway::wake_gateway(workspace.state_folder, receipt->owner);
        denied.text(approval.id);
        ++count;
      });
      if (!read) failed = read.failure();
      if (failed) return fail_to_change(*failed, as_json);
    }
    if (as_json) {
      print_json(ObjectText().flag("ok", true).json("denied", denied.done()).done());
    } else {
      print_line(count == 0 ? "Nothing is waiting."
                            : "Denied " + std::to_string(count) + (count == 1 ? " approval." : " approvals."));
    }
    return kOk;
  });
}

// Like a denial, it needs no confirmation: it only ever stops something.
int take_back_approval(const ApprovalsOptions& options) {
  const bool as_json = options.where.json;
  return with_store(options.where, fail_to_change, [&](const Workspace& workspace, store::Store* store) -> int {
    if (!store) return fail_to_change({ErrorCode::kNotFound, "there is no approval " + options.id}, as_json);
    const auto receipt = gateway::take_back(*store, {options.id, this_person(), "cli"}, base::now_ms());
    if (!receipt) return fail_to_change(receipt.failure(), as_json);
    gateway::wake_gateway(workspace.state_folder, receipt->owner);
    if (as_json) {
      const std::string rules = text_list(receipt->rules_in_config);
      print_json(ObjectText().flag("ok", true).text("run", receipt->run).json("rulesInConfig", rules).done());
      return kOk;
    }
    print_line("Withdrawn: calls that have not begun are denied.");
    for (const std::string& rule : receipt->rules_in_config)
      print_line("This rule is in " + workspace.config_path + " now; remove it there: " + rule);
    return kOk;
  });
}

}  // namespace

void add_approvals_command(Command& app) {
  const auto options = std::make_shared<ApprovalsOptions>();
  Command* command = app.add_subcommand("approvals", "List and answer approval requests");
  add_workspace_flags(*command, options->where);
  command->runs([options] { return list_approvals(*options); });
  const auto add = [&](const char* name, const char* what, std::function<int()> run) {
    Command* inner = command->add_subcommand(name, what);
    add_workspace_flags(*inner, options->where);
    inner->runs([options, run = std::move(run)] {
      if (const auto failed = complete_id(options->where, options->id)) return *failed;
      return run();
    });
    return inner;
  };
  Command* listing = add("ls", "List pending requests", [options] { return list_approvals(*options); });
  listing->add_flag("--all", options->all, "Include answered requests");
  Command* watching = add("watch", "Show pending requests, and new ones as they arrive, until Ctrl-C",
                          [options] { return watch_approvals(*options); });
  for (Command* inner : {listing, watching}) inner->add_option("--run", options->run, "Of one run")->type_name("RUN");
  Command* showing =
      add("show", "Show code, calls and arguments in full", [options] { return show_approval(*options); });
  Command* approving =
      add("approve", "Approve the calls; asks at the terminal", [options] { return answer_approvals(*options, true); });
  approving->add_option("--scope", options->scope, "once (these calls), run, session or always (once)")
      ->type_name("SCOPE");
  approving->add_option("--token", options->token, "An approver's token, instead of a terminal")
      ->type_name("TOKEN")
      ->from_variable("GLOVEBOX_APPROVER_TOKEN");
  approving->add_option("--rule", options->rules, "The rule to add, instead of the one that the request proposes")
      ->type_name("PATTERN")
      ->one_at_a_time();
  Command* denying = add("deny", "Deny the calls", [options]() -> int {
    if (options->all == !options->id.empty())
      return fail_usage("name an approval, or use --all for every pending one", options->where.json);
    if (options->all && !options->calls.empty())
      return fail_usage("--call needs a single approval", options->where.json);
    return options->all ? deny_all(*options) : answer_approvals(*options, false);
  });
  denying->add_flag("--all", options->all, "Every pending one");
  denying->add_option("--run", options->run, "With --all: of one run")->type_name("RUN");
  Command* taking_back = add("take-back", "Withdraw an approval, for calls that have not begun",
                             [options] { return take_back_approval(*options); });
  for (Command* inner : {showing, approving, denying, taking_back}) {
    auto* id = inner->add_option("id", options->id, "The approval; a unique prefix is enough")->type_name("ID");
    if (inner != denying) id->required();
  }
  for (Command* inner : {approving, denying}) {
    inner->add_option("--call", options->calls, "Only this call of the request; may be repeated")
        ->type_name("N")
        ->one_at_a_time();
    inner->add_option("--reason", options->reason, "Recorded; after a denial, the code receives it")->type_name("TEXT");
  }
}

}  // namespace glovebox::cli
