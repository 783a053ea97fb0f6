#include "frontend/serve/approvals_http.h"

#include "frontend/serve/plain_errors.h"
#include "gateway/words.h"
#include "mcp/json_tree.h"

namespace glovebox::frontend {
namespace {

using gateway::json_text;

constexpr std::string_view kApprovalsPath = "/approvals";

mcp::PlainResponse respond_with_approvals(GatewayProcess& process) {
  const auto approvals = process.store().approvals("", true);
  if (!approvals) return plain_failure(approvals.failure());
  std::string body = R"({"approvals":[)";
  for (const store::ApprovalRecord& approval : approvals.value()) {
    if (body.back() != '[') body += ',';
    body += approval.card;
  }
  return {200, body + "]}"};
}

mcp::PlainResponse respond_with_approval(GatewayProcess& process, const std::string& id) {
  const auto approval = process.store().find_approval(id);
  if (!approval) return plain_failure(approval.failure());
  if (!approval.value()) return plain_error(404, "there is no approval " + id);
  return {200, R"({"state":)" + json_text(store::name_of(approval.value()->state)) + R"(,"digest":)" +
                   json_text(gateway::sha256_hex(approval.value()->card)) + R"(,"card":)" + approval.value()->card +
                   "}"};
}

mcp::PlainResponse respond_to_answer(GatewayProcess& process, const std::string& id, const mcp::PlainRequest& request) {
  const auto said = mcp::parse_object(request.body);
  if (!said) return plain_error(400, "the body must be a JSON object: " + said.failure().message);
  const auto decision = mcp::string_member(said.value(), "decision").value_or("");
  if (decision != "approve" && decision != "deny") return plain_error(400, R"("decision" must be "approve" or "deny")");
  gateway::ApprovalAnswer answer;
  answer.approval = id;
  answer.approved = decision == "approve";
  answer.reason = mcp::string_member(said.value(), "reason").value_or("");
  answer.who = request.caller.principal;
  answer.channel = "http";
  answer.shown = mcp::string_member(said.value(), "digest").value_or("");
  if (const auto* scope = mcp::member(said.value(), "scope")) {
    const auto named = scope->is_string() ? store::scope_of(std::string_view(scope->get_string())) : std::nullopt;
    if (!named) return plain_error(400, R"("scope" must be "once", "run", "session" or "always")");
    answer.scope = *named;
  }
  if (const auto* calls = mcp::member(said.value(), "calls")) {
    if (!calls->is_array()) return plain_error(400, R"("calls" must be an array of numbers)");
    for (const auto& call : calls->get_array()) {
      std::error_code wrong;
      answer.calls.push_back(call.to_number<std::uint64_t>(wrong));
      if (wrong) return plain_error(400, R"("calls" must be an array of numbers)");
    }
    // An empty list means all to the gateway, and none to whoever wrote it.
    if (answer.calls.empty()) return plain_error(400, R"("calls" is empty; leave it out to answer for all)");
  }
  const auto receipt = process.gateway().answer(answer);
  if (!receipt) return plain_failure(receipt.failure());
  return {200, R"({"approval":)" + json_text(id) + R"(,"run":)" + json_text(receipt.value().run) + "}"};
}

}  // namespace

bool is_approval_path(const mcp::PlainRequest& request) {
  const std::string_view path = path_of(request);
  return path == kApprovalsPath || path.starts_with(std::string(kApprovalsPath) + "/");
}

mcp::PlainResponse serve_approvals(GatewayProcess& process, const mcp::PlainRequest& request) {
  const std::string_view path = path_of(request);
  if (path == kApprovalsPath)
    return request.method == "GET" ? respond_with_approvals(process) : plain_error(405, "use GET");
  const std::string id(path.substr(kApprovalsPath.size() + 1));
  if (request.method == "GET") return respond_with_approval(process, id);
  if (request.method == "POST") return respond_to_answer(process, id, request);
  return plain_error(405, "use GET or POST");
}

}  // namespace glovebox::frontend
