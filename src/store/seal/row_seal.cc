#include "store/seal/row_seal.h"

#include "base/hmac.h"
#include "base/text/hex.h"

namespace glovebox::store {
namespace {

// One text of many, each prefixed with its length.
std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += std::to_string(text.size()) + ":" + text;
  return all;
}

}  // namespace

std::string RowSeal::digest(std::initializer_list<std::string_view> parts) const {
  base::HmacSha256 mac(key_);
  for (const std::string_view part : parts) {
    mac.add(std::to_string(part.size()) + ":");
    mac.add(part);
  }
  return base::hex(mac.digest());
}

std::string RowSeal::of(const RunRecord& run) const {
  return digest({"run", run.id, std::to_string(run.created), run.code, run.language, run.name, run.context, run.config,
                 run.seed, std::to_string(run.now), run.client, run.session, run.intent});
}

std::string RowSeal::of(const ApprovalRecord& approval) const {
  return digest(
      {"approval", approval.id, approval.run, std::to_string(approval.created), approval.kind, approval.card});
}

std::string RowSeal::of(const std::string& approval, const ApprovalCall& call) const {
  const char* said = !call.approved ? "asked" : *call.approved ? "approved" : "denied";
  return digest({"call", approval, std::to_string(call.call), call.server, call.tool, call.arguments, call.tool_hash,
                 said, call.reason});
}

std::string RowSeal::of(const AnswerRecord& answer) const {
  std::vector<std::string> calls;
  for (const std::uint64_t call : answer.calls) calls.push_back(std::to_string(call));
  return digest({"answer", answer.approval, answer.run, joined(calls), answer.who, answer.channel,
                 name_of(answer.scope), answer.approved ? "approved" : "denied", answer.reason, joined(answer.rules),
                 std::to_string(answer.at)});
}

std::string RowSeal::of(const RememberedRule& rule) const {
  return digest({"rule", name_of(rule.scope), rule.key, rule.pattern, rule.to_config ? "always" : "once"});
}

std::string RowSeal::of(const NodeRequest& request) const {
  return digest({"node request", request.node, request.kind, request.about, request.who, std::to_string(request.at)});
}

}  // namespace glovebox::store
