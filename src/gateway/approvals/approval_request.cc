#include "gateway/approvals/approval_request.h"

#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <optional>

#include "base/digest.h"
#include "base/text/json_builder.h"
#include "base/text/utf8.h"
#include "base/wall_clock.h"
#include "gateway/approvals/remembered_rule.h"
#include "gateway/runs/run_settings.h"
#include "mcp/json/json_tree.h"
#include "policy/path_grants.h"
#include "policy/tool_rules.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;
using base::ListText;
using base::ObjectText;

bool looks_like_path(std::string_view text) {
  return text.find('/') != std::string_view::npos && text.size() < 4096 && !text.starts_with('~') &&
         text.find("://") == std::string_view::npos &&
         std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == '\\'; });
}

// Paths among the arguments, by key.
std::map<std::string, std::string> paths_of(const std::string& arguments, std::string_view workspace) {
  std::map<std::string, std::string> paths;
  const auto object = policy::parse_arguments(arguments);
  if (!object) return paths;
  for (const auto& member : object.value()) {
    const json::string* text = member.value().if_string();
    if (!text || !looks_like_path({text->data(), text->size()})) continue;
    paths[std::string(member.key())] = policy::normal_path(workspace, {text->data(), text->size()});
  }
  return paths;
}

std::string common_folder(const std::vector<std::string>& paths) {
  std::string folder(policy::parent_path(paths.front()));
  for (const std::string& path : paths) {
    while (!policy::is_at_or_beneath(policy::parent_path(path), folder)) folder = policy::parent_path(folder);
  }
  return folder;
}

std::string shown(const std::string& path, std::string_view workspace) {
  if (!policy::is_at_or_beneath(path, workspace)) return path;
  const std::string_view rest = policy::relative_to(path, workspace);
  return rest == "." ? "." : "./" + std::string(rest);
}

void describe_group(CallGroup& group, const std::vector<const store::ApprovalCall*>& calls,
                    std::string_view workspace) {
  std::vector<std::string> paths;
  for (const store::ApprovalCall* call : calls) {
    for (auto& [key, path] : paths_of(call->arguments, workspace)) paths.push_back(path);
  }
  if (!paths.empty()) group.under = shown(common_folder(paths), workspace);
  group.rule = remembered_rule(calls, workspace).value_or("");
}

std::string title_of(const std::vector<CallGroup>& groups, const std::vector<AskedCall>& calls,
                     std::string_view workspace) {
  const bool several = std::any_of(groups.begin(), groups.end(),
                                   [&](const CallGroup& group) { return group.server != groups.front().server; });
  std::string title;
  for (const CallGroup& group : groups) {
    if (!title.empty()) title += "; ";
    if (several) title += group.server + ":";
    title += group.tool;
    if (group.calls.size() > 1) {
      title += " × " + std::to_string(group.calls.size());
      if (!group.under.empty()) title += ", all under " + group.under;
      continue;
    }
    for (const AskedCall& call : calls) {
      if (call.call != group.calls.front()) continue;
      const auto paths = paths_of(call.arguments, workspace);
      if (paths.size() == 1) title += " " + shown(paths.begin()->second, workspace);
    }
  }
  return title;
}

// The server's own claim: shown, never trusted.
std::string claimed_read_only(const catalog::Tool& tool) {
  const auto hints = mcp::parse_object(tool.annotations);
  const json::value* hint = hints ? mcp::member(*hints, "readOnlyHint") : nullptr;
  return hint && hint->is_bool() ? (hint->get_bool() ? "true" : "false") : "null";
}

std::string call_json(const AskedCall& call) {
  const catalog::Tool& tool = call.tool;
  ObjectText out;
  out.number("call", call.call).text("server", tool.server).text("tool", tool.name).text("title", tool.title);
  out.text("description", tool.description).json("arguments", call.arguments).text("why", call.why);
  return out.json("claimsReadOnly", claimed_read_only(tool)).text("definition", tool.hash).done();
}

std::string group_json(const CallGroup& group) {
  ObjectText out;
  out.text("tool", group.server + ":" + group.tool).number("count", group.calls.size());
  return out.text_or_null("under", group.under).text_or_null("rule", group.rule).done();
}

}  // namespace

std::vector<CallGroup> group_calls(const std::vector<store::ApprovalCall>& calls, std::string_view workspace) {
  std::vector<CallGroup> groups;
  std::vector<std::vector<const store::ApprovalCall*>> members;
  for (const store::ApprovalCall& call : calls) {
    std::size_t at = 0;
    while (at < groups.size() && (groups[at].server != call.server || groups[at].tool != call.tool)) ++at;
    if (at == groups.size()) {
      groups.push_back({call.server, call.tool, {}, "", ""});
      members.emplace_back();
    }
    groups[at].calls.push_back(call.call);
    members[at].push_back(&call);
  }
  for (std::size_t i = 0; i < groups.size(); ++i) describe_group(groups[i], members[i], workspace);
  return groups;
}

ApprovalRequest make_approval_request(const RequestInput& input) {
  std::vector<store::ApprovalCall> plain;
  ListText calls;
  for (const AskedCall& call : input.calls) {
    plain.push_back({call.call, call.tool.server, call.tool.name, call.arguments, call.tool.hash, std::nullopt, ""});
    calls.json(call_json(call));
  }
  const auto groups = group_calls(plain, input.workspace);
  ApprovalRequest request{input.id, input.run.id, title_of(groups, input.calls, input.workspace), ""};
  const std::string client_name = client_name_in(input.run.config);

  const auto has_no_rule = [](const CallGroup& group) { return group.rule.empty(); };
  ListText all_groups, before;
  for (const CallGroup& group : groups) all_groups.json(group_json(group));
  for (const std::string& entry : input.before) before.json(entry);

  ObjectText out;
  out.text("id", input.id).text("run", input.run.id).text("created", base::iso_time(input.created));
  out.text("kind", input.need ? input.need->kind : "tool_calls");
  if (input.need) out.text("need", input.need->text);
  out.text("title", request.title).text("client", input.run.client).text_if("client_name", client_name);
  out.text("workspace", input.workspace).text("intent", input.run.intent).text("language", input.run.language);
  out.text("code", input.run.code).text("codeHash", base::sha256_hex(input.run.code)).json("calls", calls.done());
  out.json("groups", all_groups.done()).json("before", before.done());
  out.number("since", std::min(input.since, input.before.size())).json_or_null("plan", input.plan);
  const bool once_only = input.need || std::any_of(groups.begin(), groups.end(), has_no_rule);
  out.json("options", once_only ? R"(["once","deny"])" : R"(["once","run","session","always","deny"])");
  request.json = out.done();
  return request;
}

}  // namespace glovebox::gateway
