#include "broker/tool_plan.h"

#include <simdjson.h>

#include "broker/log_text.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMaxEntries = 2000;
constexpr std::size_t kMaxTextBytes = 1024;

Failure nonsense() {
  return {ErrorCode::kProtocol, "the guest gave no plan"};
}

bool read_text(dom::object entry, const char* field, std::string& out) {
  std::string_view text;
  if (entry.at_key(field).get_string().get(text) != simdjson::SUCCESS || text.size() > kMaxTextBytes) return false;
  out = neutralise(text);
  return true;
}

bool read_position(dom::object entry, SourcePosition& out) {
  std::int64_t line = 0;
  std::int64_t column = 0;
  if (entry.at_key("line").get_int64().get(line) != simdjson::SUCCESS ||
      entry.at_key("column").get_int64().get(column) != simdjson::SUCCESS || line < 1 || line > INT32_MAX ||
      column < 1 || column > INT32_MAX) {
    return false;
  }
  out = {static_cast<int>(line), static_cast<int>(column)};
  return true;
}

template <typename Read>
bool read_list(dom::object document, const char* field, Read read) {
  dom::array list;
  if (document.at_key(field).get_array().get(list) != simdjson::SUCCESS || list.size() > kMaxEntries) return false;
  for (const dom::element element : list) {
    dom::object entry;
    if (element.get_object().get(entry) != simdjson::SUCCESS || !read(entry)) return false;
  }
  return true;
}

}  // namespace

Result<ToolPlan> plan_of(Outcome outcome) {
  ToolPlan plan;
  if (const auto* crashed = std::get_if<Crashed>(&outcome.ending)) {
    return Failure{ErrorCode::kSandboxUnavailable, crashed->error.code + ": " + crashed->error.message};
  }
  if (const RunError* error = outcome.error()) {
    plan.error = *error;
    return plan;
  }
  dom::parser parser;
  dom::object document;
  const simdjson::padded_string text(outcome.result_json());
  if (parser.parse(text).get_object().get(document) != simdjson::SUCCESS) return nonsense();
  const bool is_plan = read_list(document, "tools",
                                 [&](dom::object entry) {
                                   PlannedTool tool;
                                   if (!read_text(entry, "server", tool.server) ||
                                       !read_text(entry, "tool", tool.tool) || !read_position(entry, tool.position)) {
                                     return false;
                                   }
                                   plan.tools.push_back(std::move(tool));
                                   return true;
                                 }) &&
                       read_list(document, "dynamic", [&](dom::object entry) {
                         DynamicUse use;
                         if (!read_text(entry, "what", use.what) || !read_position(entry, use.position)) return false;
                         plan.dynamic.push_back(std::move(use));
                         return true;
                       });
  if (!is_plan) return nonsense();
  return plan;
}

}  // namespace glovebox::broker
