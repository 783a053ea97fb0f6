#include "gateway/approvals/reply.h"

#include "mcp/json/json_tree.h"

namespace glovebox::gateway {
std::optional<Reply> typed_reply(std::string_view line, std::string_view word, bool can_be_remembered) {
  while (!line.empty() && (line.back() == ' ' || line.back() == '\r')) line.remove_suffix(1);
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  const auto is = [&line](std::string_view letter, std::string_view whole) { return line == letter || line == whole; };
  if (is("n", "no")) return Reply{false, store::Scope::kOnce};
  if (word != "y") {
    if (!line.starts_with(word)) return std::nullopt;
    line.remove_prefix(word.size());
    if (line.empty()) return Reply{true, store::Scope::kOnce};
  } else if (is("y", "yes")) {
    return Reply{true, store::Scope::kOnce};
  }
  if (!can_be_remembered) return std::nullopt;
  if (is("r", "run")) return Reply{true, store::Scope::kRun};
  if (is("s", "session")) return Reply{true, store::Scope::kSession};
  if (is("a", "always")) return Reply{true, store::Scope::kAlways};
  return std::nullopt;
}

std::optional<FormReply> form_reply(const boost::json::object& result) {
  const std::string action = mcp::string_member(result, "action").value_or("");
  if (action != "accept" && action != "decline") return std::nullopt;
  FormReply reply;
  reply.accepted = action == "accept";
  const auto* content = mcp::object_member(result, "content");
  if (!content) return reply;
  reply.decision = mcp::string_member(*content, "decision").value_or("");
  reply.reason = mcp::string_member(*content, "reason").value_or("");
  const auto scope = store::scope_of(mcp::string_member(*content, "scope").value_or(""));
  if (scope && reply.approved()) reply.scope = *scope;
  return reply;
}

}  // namespace glovebox::gateway
