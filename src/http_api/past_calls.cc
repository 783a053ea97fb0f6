#include "http_api/past_calls.h"

#include <map>

#include "base/digest.h"
#include "http_api/audit_tail.h"

namespace glovebox::http_api {
namespace {

namespace json = mcp::json;

std::string text_in(const json::object& record, std::string_view key) {
  return mcp::string_member(record, key).value_or("");
}

// The digest is of the text that the tool was called with. A guest writes JSON as we do, so an equal text has left
// nothing out; a different one may have, or was only formatted differently.
bool is_whole(const json::object& arguments, const std::string& digest) {
  return base::sha256_hex(json::serialize(arguments)) == digest;
}

}  // namespace

std::vector<PastCall> past_calls(const std::string& audit_log,
                                 const std::function<void(const json::object& record)>& each) {
  std::vector<PastCall> calls;
  std::map<std::string, std::size_t> places;  // by run and number
  read_newest(audit_log, [&](const json::object& record) {
    if (each) each(record);
    const std::string event = text_in(record, "event");
    if (event != "call.begun" && event != "call.denied" && event != "call.asked") return true;
    const std::string tool = text_in(record, "tool");
    const std::size_t colon = tool.find(':');
    const json::object* const arguments = mcp::object_member(record, "arguments");
    if (colon == tool.npos || !arguments) return true;
    PastCall call{.time = text_in(record, "time"),
                  .run = text_in(record, "run"),
                  .server = tool.substr(0, colon),
                  .tool = tool.substr(colon + 1),
                  .arguments = *arguments,
                  .whole = is_whole(*arguments, text_in(record, "argumentsDigest")),
                  .verdict = text_in(record, "verdict"),
                  .effect = "",
                  .rule = text_in(record, "rule")};
    if (!call.rule.empty()) call.effect = call.verdict;
    const auto number = static_cast<std::int64_t>(mcp::number_member(record, "call").value_or(0));
    const auto [place, is_new] = places.emplace(call.run + " " + std::to_string(number), calls.size());
    if (is_new) {
      calls.push_back(std::move(call));
    } else if (PastCall& later = calls[place->second]; later.rule.empty()) {
      later.effect = call.effect;  // it was approved; the record of the question stands earlier in the log
      later.rule = call.rule;
    }
    return true;
  });
  return calls;
}

std::optional<bool> covers(const policy::ToolPattern& pattern, const PastCall& call) {
  if (!pattern.matches_name(call.server, call.tool)) return false;
  if (pattern.matches(call.server, call.tool, &call.arguments, policy::Reading::kAllowing)) return true;
  return call.whole ? std::optional(false) : std::nullopt;
}

}  // namespace glovebox::http_api
