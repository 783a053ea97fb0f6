#include "replay/tool_plan.h"

#include <simdjson.h>

#include <algorithm>

#include "base/text/log_text.h"
#include "wire/limits.h"

namespace glovebox::replay {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kMaxEntries = 2000;
constexpr std::size_t kMaxTextBytes = 1024;
constexpr std::size_t kMaxConditions = 16;
constexpr std::size_t kMaxArrows = 100'000;  // between calls, in total

Failure nonsense() {
  return {ErrorCode::kProtocol, "the guest gave no plan"};
}

bool read_text(dom::object entry, const char* field, std::string& out) {
  std::string_view text;
  if (entry.at_key(field).get_string().get(text) != simdjson::SUCCESS || text.size() > kMaxTextBytes) return false;
  out = base::neutralise(text);
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

bool read_texts(dom::object entry, const char* field, std::vector<std::string>& out) {
  dom::array list;
  if (entry.at_key(field).get_array().get(list) != simdjson::SUCCESS || list.size() > kMaxConditions) return false;
  for (const dom::element element : list) {
    std::string_view text;
    if (element.get_string().get(text) != simdjson::SUCCESS || text.size() > kMaxTextBytes) return false;
    out.push_back(base::neutralise(text));
  }
  return true;
}

// Indexes in the list of calls.
bool read_places(dom::object entry, const char* field, std::size_t& left, std::vector<std::size_t>& out) {
  dom::array list;
  if (entry.at_key(field).get_array().get(list) != simdjson::SUCCESS || list.size() > left) return false;
  left -= list.size();
  for (const dom::element element : list) {
    std::uint64_t place = 0;
    if (element.get_uint64().get(place) != simdjson::SUCCESS || place >= kMaxEntries) return false;
    out.push_back(place);
  }
  return true;
}

bool read_truth(dom::object entry, const char* field, bool& out) {
  return entry.at_key(field).get_bool().get(out) == simdjson::SUCCESS;
}

bool read_planned_call(dom::object entry, std::size_t& arrows, PlannedCall& call) {
  return read_text(entry, "server", call.server) && read_text(entry, "tool", call.tool) &&
         read_position(entry, call.position) && read_texts(entry, "when", call.when) &&
         read_places(entry, "from", arrows, call.from) && read_places(entry, "after", arrows, call.after) &&
         read_truth(entry, "is_conditional", call.is_conditional) &&
         read_truth(entry, "is_repeated", call.is_repeated) && read_truth(entry, "is_mentioned", call.is_mentioned);
}

bool are_places_of(const std::vector<PlannedCall>& calls) {
  const auto in_list = [&](std::size_t place) { return place < calls.size(); };
  return std::all_of(calls.begin(), calls.end(), [&](const PlannedCall& call) {
    return std::all_of(call.from.begin(), call.from.end(), in_list) &&
           std::all_of(call.after.begin(), call.after.end(), in_list);
  });
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
    return Failure{ErrorCode::kSandboxUnavailable, crashed->error.code.text() + ": " + crashed->error.message};
  }
  if (const RunError* error = outcome.error()) {
    plan.error = *error;
    return plan;
  }
  dom::parser parser;
  dom::object document;
  const simdjson::padded_string text(outcome.result_json());
  if (parser.parse(text).get_object().get(document) != simdjson::SUCCESS) return nonsense();
  std::size_t arrows = kMaxArrows;
  const bool is_plan =
      read_list(document, "tools",
                [&](dom::object entry) {
                  PlannedTool tool;
                  if (!read_text(entry, "server", tool.server) || !read_text(entry, "tool", tool.tool) ||
                      !read_position(entry, tool.position) || !read_texts(entry, "when", tool.when)) {
                    return false;
                  }
                  plan.tools.push_back(std::move(tool));
                  return true;
                }) &&
      read_list(document, "calls",
                [&](dom::object entry) { return read_planned_call(entry, arrows, plan.calls.emplace_back()); }) &&
      are_places_of(plan.calls) && read_truth(document, "flows_known", plan.flows_known) &&
      read_list(document, "dynamic", [&](dom::object entry) {
        DynamicUse use;
        if (!read_text(entry, "what", use.what) || !read_position(entry, use.position)) return false;
        plan.dynamic.push_back(std::move(use));
        return true;
      });
  if (!is_plan) return nonsense();
  return plan;
}

}  // namespace glovebox::replay
