#include "assembly/notify/notice.h"

#include <algorithm>

#include "base/hmac.h"
#include "base/wall_clock.h"
#include "gateway/privacy/redaction.h"
#include "mcp/json/base64.h"
#include "mcp/json/json_tree.h"
#include "policy/path_grants.h"

namespace glovebox::assembly {
namespace {

namespace json = mcp::json;

constexpr std::string_view kSecretMark = "whsec_";
constexpr std::size_t kMostTools = 20;

std::string key_of(std::string_view secret) {
  if (!secret.starts_with(kSecretMark)) return std::string(secret);
  const auto bytes = mcp::from_base64(secret.substr(kSecretMark.size()));
  return bytes ? *bytes : std::string(secret);
}

}  // namespace

std::string notice_of(const store::ApprovalRecord& approval, const std::string& client, const std::string& workspace) {
  json::array tools;
  for (const store::ApprovalCall& call : approval.calls) {
    // A name that is a server's own choice may hold anything.
    const json::string name(gateway::redacted_text(call.server + ":" + call.tool));
    const bool known = std::find(tools.begin(), tools.end(), json::value(name)) != tools.end();
    if (!known && tools.size() < kMostTools) tools.emplace_back(name);
  }
  return json::serialize(json::object{{"type", "approval.asked"},
                                      {"timestamp", base::iso_time(approval.created)},
                                      {"data", json::object{{"approval", approval.id},
                                                            {"run", approval.run},
                                                            {"workspace", json::string(policy::last_name(workspace))},
                                                            {"client", gateway::redacted_text(client)},
                                                            {"calls", approval.calls.size()},
                                                            {"tools", std::move(tools)}}}});
}

std::optional<DecisionNotice> notice_of(const store::WorkflowRecord& workflow, const store::WorkflowEvent& event,
                                        const std::string& workspace) {
  const auto payload = mcp::parse_object(event.payload);
  if (!payload || mcp::string_member(payload.value(), "by") != "human") return std::nullopt;
  json::object data = {{"workflow", workflow.id},
                       {"event", event.number},
                       {"workspace", json::string(policy::last_name(workspace))},
                       {"client", gateway::redacted_text(workflow.client)},
                       {"kind", mcp::string_member(payload.value(), "kind").value_or("")}};
  if (const auto layer = mcp::number_member(payload.value(), "layer"))
    data["layer"] = static_cast<std::int64_t>(*layer);
  const std::string text = json::serialize(
      json::object{{"type", "decision.asked"}, {"timestamp", base::iso_time(event.at)}, {"data", std::move(data)}});
  return DecisionNotice{workflow.id + "." + std::to_string(event.number), text};
}

std::string webhook_signature(std::string_view secret, std::string_view id, std::int64_t seconds,
                              std::string_view body) {
  const std::string key = key_of(secret);
  const std::string signed_text = std::string(id) + "." + std::to_string(seconds) + "." + std::string(body);
  base::HmacSha256 mac(key);
  mac.add(signed_text);
  return "v1," + mcp::base64(base::as_text(mac.digest()));
}

}  // namespace glovebox::assembly
