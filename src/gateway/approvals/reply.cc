#include "gateway/approvals/reply.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

std::string_view text_in(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

}  // namespace

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

std::optional<FormReply> form_reply(const json::object& result) {
  const std::string_view action = text_in(result, "action");
  if (action != "accept" && action != "decline") return std::nullopt;
  FormReply reply;
  reply.accepted = action == "accept";
  const json::value* content = result.if_contains("content");
  if (!content || !content->is_object()) return reply;
  reply.decision = text_in(content->get_object(), "decision");
  reply.reason = text_in(content->get_object(), "reason");
  const auto scope = store::scope_of(text_in(content->get_object(), "scope"));
  if (scope && reply.approved()) reply.scope = *scope;
  return reply;
}

}  // namespace glovebox::gateway
