#include "cli/tools/tool_approval.h"

#include "assembly/tokens/access_tokens.h"
#include "base/text/framed_text.h"
#include "base/try.h"
#include "base/wall_clock.h"
#include "cli/session/catalog_run.h"
#include "cli/session/confirmation.h"
#include "terminal/exit_codes.h"
#include "workspace/audit_note.h"
#include "workspace/open_store.h"
#include "workspace/report.h"

namespace glovebox::cli {
namespace {

using catalog::Tool;

std::string full_name(const Tool& tool) {
  return tool.server + "." + tool.name;
}

// The holder of the token, if that is an operator's.
std::optional<std::string> operator_with(const std::string& token, const Workspace& workspace) {
  const auto known = assembly::AccessTokens(workspace.state_folder).find(token, base::now_ms());
  if (!known || known->role != assembly::Role::kOperator) return std::nullopt;
  return "token " + known->id;
}

// Nothing where there is no terminal.
std::optional<bool> person_agrees(const Tool& tool, const std::string& diff) {
  const gateway::ApprovalRequest request{"definition", "", "The changed definition of " + full_name(tool), "{}"};
  return confirmed_by_code(request, "What has changed, in the server's words:\n" + base::framed(diff, {}));
}

// What is shown is what is pinned, and what cannot be written down is not.
Result<void> pin(const ToolApproval& options, CatalogRun& run, const Tool& tool, const std::string& who) {
  GLOVEBOX_TRY_VOID(note_in_audit(options.where, gateway::AuditEvent("tool.approved")
                                                     .text("tool", tool.server + ":" + tool.name)
                                                     .text("definition", tool.hash)
                                                     .text("who", who)));
  return run.catalog().approve(tool.server, tool.name, tool.hash);
}

}  // namespace

int approve_tools(const ToolApproval& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  std::string who = this_person();
  if (!options.token.empty()) {
    const auto holder = operator_with(options.token, *workspace);
    if (!holder)
      return fail_with(kPolicyDenied, "NOT_APPROVED", "the token is not an operator's, or is no longer valid", json);
    who = *holder;
  }
  const auto name = split_tool_name(options.which).value_or(ToolName{options.which, ""});
  CatalogRun run(*workspace);
  const auto listed = run.list(name.server);
  if (!listed) return fail_call(listed.failure(), json);
  bool known = name.tool.empty();
  bool any = false;
  bool waiting = false;
  ListText shown;
  for (const Tool& tool : *listed) {
    if (!name.tool.empty() && tool.name != name.tool && tool.alias != name.tool) continue;
    known = true;
    if (tool.state != Tool::State::kQuarantined) continue;
    any = true;
    std::string diff = run.catalog().diff(tool.server, tool.name);
    if (diff.empty()) diff = tool.reason + "\n";
    if (!json) print_line(full_name(tool) + " has changed:\n" + diff);
    const bool agreed = !options.token.empty() || person_agrees(tool, diff).value_or(false);
    if (agreed)
      if (const auto pinned = pin(options, run, tool, who); !pinned)
        return fail_with(kToolFailed, "APPROVAL_FAILED", full_name(tool) + ": " + pinned.failure().message, json);
    waiting = waiting || !agreed;
    if (!json) print_line(full_name(tool) + (agreed ? ": approved" : ": still quarantined; approve it at a terminal"));
    shown.json(ObjectText().text("tool", full_name(tool)).flag("approved", agreed).text("diff", diff).done());
  }
  if (!known) return fail_usage("there is no tool " + options.which, json);
  if (json) print_json(ObjectText().flag("ok", !waiting).json("tools", shown.done()).done());
  if (!json && !any) print_line("nothing is quarantined there");
  return waiting ? kWaiting : kOk;
}

}  // namespace glovebox::cli
