#include "cli/permissions/permissions_command.h"

#include <memory>

#include "cli/session/catalog_run.h"
#include "gateway/config_policy.h"
#include "terminal/command.h"
#include "terminal/exit_codes.h"
#include "workspace/report.h"
#include "workspace/workspace.h"

namespace glovebox::cli {
namespace {

struct PermissionsOptions {
  WorkspaceFlags where;
  std::string tool;
  std::string arguments = "{}";
};

std::string rule_json(policy::Verdict verdict, const std::string& pattern) {
  return ObjectText().text("verdict", name_of(verdict)).text("rule", pattern).done();
}

int check_call(const PermissionsOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto rules = workspace_rules(*workspace, workspace->config);
  if (!rules) return fail_usage(workspace->config_path + ": permissions: " + rules.failure().message, json);
  const auto tool = split_tool_name(options.tool);
  if (!tool) return fail_usage("name the tool as server:tool, such as github:list_commits", json);
  if (const auto arguments = policy::parse_arguments(options.arguments); !arguments) {
    return fail_usage("--args: " + arguments.failure().message, json);
  }
  const auto decision = rules->decide(tool->server, tool->tool, options.arguments);
  if (json) {
    const std::string matches =
        json_list(decision.matches, [](const auto& match) { return rule_json(match.verdict, match.pattern); });
    ObjectText out;
    out.flag("ok", true).text("tool", tool->server + ":" + tool->tool).text("verdict", name_of(decision.verdict));
    out.text_or_null("rule", decision.rule).json("matches", matches).text("explanation", decision.explanation);
    print_json(out.done());
  } else {
    print_line(decision.explanation);
  }
  switch (decision.verdict) {
    case policy::Verdict::kAllow: return kOk;
    case policy::Verdict::kAsk: return kWaiting;
    case policy::Verdict::kDeny: return kPolicyDenied;
  }
  return kPolicyDenied;
}

int list_rules(const PermissionsOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto& settings = workspace->config.gateway;
  const auto rules = workspace_rules(*workspace, workspace->config);
  if (!rules) return fail_usage(workspace->config_path + ": permissions: " + rules.failure().message, json);
  if (!json && rules->all().empty()) print_line("No rules: every call needs approval.");
  ListText shown_rules, shown_limits;
  for (const policy::ToolRule& rule : rules->all()) {
    shown_rules.json(rule_json(rule.verdict, rule.pattern.text()));
    if (!json) print_line(std::string(name_of(rule.verdict)) + "\t" + rule.pattern.text());
  }
  for (const auto& [pattern, limit] : gateway::limits_of(settings.limits)) {
    ObjectText shown;
    shown.text("tools", pattern);
    std::string line = "limit\t" + pattern;
    if (limit.per_minute) {
      const auto number = static_cast<std::int64_t>(*limit.per_minute);
      shown.number("callsPerMinute", number);
      line += ", " + std::to_string(number) + " per minute";
    }
    if (limit.concurrent) {
      shown.number("concurrent", *limit.concurrent);
      line += ", " + std::to_string(*limit.concurrent) + " at once";
    }
    shown_limits.json(shown.done());
    if (!json) print_line(line);
  }
  ObjectText out;
  out.flag("ok", true).json("rules", shown_rules.done()).json("limits", shown_limits.done());
  if (json) print_json(out.done());
  return kOk;
}

}  // namespace

void add_permissions_command(Command& app) {
  const auto options = std::make_shared<PermissionsOptions>();
  Command* command = app.add_subcommand("permissions", "Show rules, and explain what they say about a tool call");
  command->require_subcommand();
  Command* checking = command->add_subcommand("check", "Explain what would happen to one call");
  checking->footer(R"(
Example:
  glovebox permissions check filesystem:write_file --args '{"path": "./out/report.md"}'

Exit codes: 0 allowed, 6 needs approval, 7 denied. Only the rules of the config count here, not earlier approvals.)");
  add_workspace_flags(*checking, options->where);
  checking->add_option("tool", options->tool, "The tool, by the names that the server uses")
      ->type_name("SERVER:TOOL")
      ->required();
  checking->add_option("--args", options->arguments, "The arguments ({})")->type_name("JSON");
  checking->runs([options] { return check_call(*options); });
  Command* listing = command->add_subcommand("ls", "Show all rules and limits");
  add_workspace_flags(*listing, options->where);
  listing->runs([options] { return list_rules(*options); });
}

}  // namespace glovebox::cli
