#include "gateway/approvals/approval_text.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/text/framed_text.h"
#include "base/text/json_slice.h"
#include "base/text/json_text.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "base/try.h"
#include "gateway/direct/one_call.h"
#include "mcp/json/json_tree.h"
#include "mcp/limits.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostIntentLines = 3;
constexpr std::size_t kMostBeforeLines = 5;
constexpr base::SliceOptions kWholeText{.max_depth = mcp::kMaxMessageDepth};

// As deep as arguments may be: a request that is not read is shown without its calls.
json::object read(const ApprovalRequest& request) {
  auto tree = mcp::parse_object(request.json);
  return tree ? std::move(tree).value() : json::object();
}

std::string text_of(const json::object& object, std::string_view key) {
  return mcp::string_member(object, key).value_or("");
}

const json::array& list_of(const json::object& object, std::string_view key) {
  static const json::array kNone;
  const json::array* list = mcp::array_member(object, key);
  return list ? *list : kNone;
}

std::string in_quotes(const std::string& text) {
  return base::neutralise_json(base::json_text(text));
}

// A task of a workflow, or `call_tool`: no agent has written that line, and the call is on the request.
bool is_the_call(const std::string& code, const json::object& request) {
  const auto program = one_call_in(code);
  const json::array& calls = list_of(request, "calls");
  if (!program || calls.size() != 1 || !calls[0].is_object()) return false;
  const json::object& call = calls[0].get_object();
  return text_of(call, "server") == program->server && text_of(call, "tool") == program->tool;
}

std::string agents_words(const json::object& request, const ApprovalLayout& layout) {
  std::string text;
  if (const std::string code = text_of(request, "code"); !code.empty() && !is_the_call(code, request)) {
    text += "The agent's code:\n" + base::framed(code, {layout.columns, layout.code_lines});
  }
  if (const std::string intent = text_of(request, "intent"); !intent.empty()) {
    text += "The agent states this purpose:\n" + base::framed(in_quotes(intent), {layout.columns, kMostIntentLines});
  }
  return text;
}

std::string who_asks(const json::object& request, const ApprovalLayout& layout) {
  const std::string workspace = text_of(request, "workspace");
  if (workspace.empty()) return "";
  const std::string name = text_of(request, "client_name");
  const std::string calls_itself = name.empty() ? "" : ", which calls itself " + in_quotes(name);
  return base::one_line("Asked by " + in_quotes(text_of(request, "client")) + calls_itself, layout.columns) + "\n" +
         base::one_line("In the workspace " + workspace, layout.columns) + "\n";
}

// "Call 1 of 3 (number 7)": the number serves to answer one of several calls.
std::string heading_of(const base::JsonSlices& call, std::size_t place, std::size_t count) {
  std::string heading = "Call " + std::to_string(place) + " of " + std::to_string(count);
  if (count > 1 && call.has("call")) heading += " (number " + std::string(call.raw("call")) + ")";
  return heading + ": " + call.text("server") + "." + call.text("tool");
}

// From the text: a tree would round long numbers among the arguments.
Result<std::string> calls_in_full(const ApprovalRequest& request, const ApprovalLayout& layout) {
  std::string text;
  const auto members = GLOVEBOX_TRY(base::JsonSlices::of(request.json, kWholeText));
  if (!members.has("calls")) return text;
  const auto calls = GLOVEBOX_TRY(base::slice_array(members.raw("calls"), kWholeText));
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const auto call = GLOVEBOX_TRY(base::JsonSlices::of(calls[i], kWholeText));
    const std::string_view arguments = call.has("arguments") ? call.raw("arguments") : "{}";
    text += base::one_line(heading_of(call, i + 1, calls.size()), layout.columns) + "\n" +
            base::framed(base::neutralise_json(base::pretty_json(arguments, true)), {layout.columns});
  }
  return text;
}

// What the run has called since the last request.
std::string news(const json::object& request, const ApprovalLayout& layout) {
  const json::array& before = list_of(request, "before");
  const json::value* number = request.if_contains("since");
  if (!number || !number->is_int64() || before.empty()) return "";
  const auto since = std::min(static_cast<std::size_t>(number->get_int64()), before.size());
  if (since == 0) return "Nothing has been called since the last request.\n";
  std::string made;
  for (std::size_t i = before.size() - since; i < before.size(); ++i) {
    if (!before[i].is_object()) continue;
    const json::object& entry = before[i].get_object();
    made += base::one_line(text_of(entry, "tool") + ": " + text_of(entry, "outcome"), layout.columns - 4) + "\n";
  }
  return "Called since the last request: " + std::to_string(since) + "\n" +
         base::framed(made, {layout.columns, kMostBeforeLines});
}

bool has_rules(const json::object& request) {
  const json::array& options = list_of(request, "options");
  return std::any_of(options.begin(), options.end(), [](const json::value& option) { return option == "run"; });
}

std::string rules(const json::object& request, const ApprovalLayout& layout) {
  if (list_of(request, "calls").empty()) return "";
  if (!has_rules(request)) return "An approval counts only this once: no rule would be as narrow.\n";
  std::string all;
  for (const json::value& group : list_of(request, "groups")) {
    if (group.is_object()) all += text_of(group.get_object(), "rule") + "\n";
  }
  return "An approval for this run, this session or always would add the rule:\n" + base::framed(all, {layout.columns});
}

}  // namespace

std::string approval_text(const ApprovalRequest& request, const ApprovalLayout& layout) {
  const auto tree = mcp::parse_object(request.json);
  const auto calls = calls_in_full(request, layout);
  if (!tree || !calls || (tree->empty() && request.title.empty())) {
    return "This request cannot be shown. Do not approve it.";
  }
  const json::object& object = *tree;
  std::string text = layout.agents_words ? agents_words(object, layout) : "";
  if (!text.empty()) text += "\n";
  text += who_asks(object, layout);
  if (const std::string need = text_of(object, "need"); !need.empty()) {
    text += "Needed first:\n" + base::framed(need, {layout.columns});
  }
  text += *calls + news(object, layout) + rules(object, layout);
  // The title in the request's JSON, if any, so that a repeated question is the same.
  const std::string title = text_of(object, "title");
  const char* label = list_of(object, "calls").empty() ? "" : "In all: ";
  return text + base::one_line(label + (title.empty() ? request.title : title), layout.columns);
}

bool can_be_remembered(const ApprovalRequest& request) {
  return has_rules(read(request));
}

std::size_t calls_on(const ApprovalRequest& request) {
  return list_of(read(request), "calls").size();
}

}  // namespace glovebox::gateway
