#include "cli/permissions/permissions_command.h"

#include <memory>

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

int check_call(const PermissionsOptions& options) {
  const bool json = options.where.json;
  const auto workspace = open_workspace(options.where);
  if (!workspace) return fail_usage(workspace.failure().message, json);
  const auto rules = workspace_rules(*workspace, workspace->config);
  if (!rules) return fail_usage(workspace->config_path + ": permissions: " + rules.failure().message, json);
  const std::size_t colon = options.tool.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == options.tool.size()) {
    return fail_usage("name the tool as server:tool, such as github:list_commits", json);
  }
  if (const auto arguments = policy::parse_arguments(options.arguments); !arguments) {
    return fail_usage("--args: " + arguments.failure().message, json);
  }
  const auto decision = rules->decide(options.tool.substr(0, colon), options.tool.substr(colon + 1), options.arguments);
  if (json) {
    std::string out = R"({"ok":true,"tool":)" + json_text(options.tool) + R"(,"verdict":)" +
                      json_text(name_of(decision.verdict)) + R"(,"rule":)" +
                      (decision.rule.empty() ? "null" : json_text(decision.rule)) + R"(,"matches":[)";
    for (const auto& match : decision.matches) {
      if (out.back() != '[') out += ',';
      out += R"({"verdict":)" + json_text(name_of(match.verdict)) + R"(,"rule":)" + json_text(match.pattern) + "}";
    }
    print_json(out + R"(],"explanation":)" + json_text(decision.explanation) + "}");
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
  std::string out = R"({"ok":true,"rules":[)";
  for (const policy::ToolRule& rule : rules->all()) {
    if (out.back() != '[') out += ',';
    out += R"({"verdict":)" + json_text(name_of(rule.verdict)) + R"(,"rule":)" + json_text(rule.pattern.text()) + "}";
    if (!json) print_line(std::string(name_of(rule.verdict)) + "\t" + rule.pattern.text());
  }
  out += R"(],"limits":[)";
  for (const auto& [pattern, limit] : gateway::limits_of(settings.limits)) {
    if (out.back() != '[') out += ',';
    out += R"({"tools":)" + json_text(pattern);
    std::string line = "limit\t" + pattern;
    if (limit.per_minute) {
      const auto number = std::to_string(static_cast<std::int64_t>(*limit.per_minute));
      out += R"(,"callsPerMinute":)" + number;
      line += ", " + number + " per minute";
    }
    if (limit.concurrent) {
      out += R"(,"concurrent":)" + std::to_string(*limit.concurrent);
      line += ", " + std::to_string(*limit.concurrent) + " at once";
    }
    out += "}";
    if (!json) print_line(line);
  }
  if (json) print_json(out + "]}");
  return kOk;
}

}  // namespace

void add_permissions_command(Command& app) {
  const auto options = std::make_shared<PermissionsOptions>();
  Command* command = app.add_subcommand("permissions", "Show which tool calls are allowed, asked about or denied");
  command->require_subcommand();
  Command* checking = command->add_subcommand("check", "Explain what would happen to one call");
  checking->footer(R"(
Example:
  glovebox permissions check filesystem:write_file --args '{"path": "./out/report.md"}'

Exit codes: 0 allowed, 6 needs approval, 7 denied. Only the rules of the config count here, not earlier approvals.)");
  add_workspace_flags(*checking, options->where);
  checking->add_option("tool", options->tool, "server:tool, by the names that the server uses")
      ->type_name("SERVER:TOOL")
      ->required();
  checking->add_option("--args", options->arguments, "The arguments ({})")->type_name("JSON");
  checking->runs([options] { return check_call(*options); });
  Command* listing = command->add_subcommand("ls", "Show all rules and limits");
  add_workspace_flags(*listing, options->where);
  listing->runs([options] { return list_rules(*options); });
}

}  // namespace glovebox::cli
