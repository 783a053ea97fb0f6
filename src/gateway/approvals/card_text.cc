#include "gateway/approvals/card_text.h"

#include <algorithm>
#include <boost/json.hpp>

#include "base/text/framed_text.h"
#include "base/text/json_text.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "gateway/direct/one_call.h"
#include "mcp/json/json_tree.h"

namespace glovebox::gateway {
namespace {

namespace json = boost::json;

constexpr std::size_t kMostIntentLines = 3;
constexpr std::size_t kMostBeforeLines = 5;

json::object read(const ApprovalCard& card) {
  json::error_code error;
  json::value tree = json::parse(card.json, error);
  return error || !tree.is_object() ? json::object() : std::move(tree.get_object());
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
bool is_the_call(const std::string& code, const json::object& card) {
  const auto program = one_call_in(code);
  const json::array& calls = list_of(card, "calls");
  if (!program || calls.size() != 1 || !calls[0].is_object()) return false;
  const json::object& call = calls[0].get_object();
  return text_of(call, "server") == program->server && text_of(call, "tool") == program->tool;
}

std::string agents_words(const json::object& card, const CardLook& look) {
  std::string text;
  if (const std::string code = text_of(card, "code"); !code.empty() && !is_the_call(code, card)) {
    text += "The agent's code:\n" + base::framed(code, {look.columns, look.code_lines});
  }
  if (const std::string intent = text_of(card, "intent"); !intent.empty()) {
    text += "The agent says that it is for:\n" + base::framed(in_quotes(intent), {look.columns, kMostIntentLines});
  }
  return text;
}

std::string who_asks(const json::object& card, const CardLook& look) {
  const std::string workspace = text_of(card, "workspace");
  if (workspace.empty()) return "";
  const std::string name = text_of(card, "client_name");
  const std::string calls_itself = name.empty() ? "" : ", which calls itself " + in_quotes(name);
  return base::one_line("Asked by " + in_quotes(text_of(card, "client")) + calls_itself, look.columns) + "\n" +
         base::one_line("In the workspace " + workspace, look.columns) + "\n";
}

std::string shown_arguments(const json::object& call) {
  const json::value* arguments = call.if_contains("arguments");
  return arguments ? base::neutralise_json(base::pretty_json(json::serialize(*arguments))) : "{}";
}

// "Call 1 of 3 (number 7)": the number serves to answer one of several calls.
std::string heading_of(const json::object& call, std::size_t place, std::size_t count) {
  const json::value* number = call.if_contains("call");
  std::string heading = "Call " + std::to_string(place) + " of " + std::to_string(count);
  if (count > 1 && number) heading += " (number " + json::serialize(*number) + ")";
  return heading + ": " + text_of(call, "server") + "." + text_of(call, "tool");
}

std::string calls_in_full(const json::object& card, const CardLook& look) {
  const json::array& calls = list_of(card, "calls");
  std::string text;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!calls[i].is_object()) continue;
    const json::object& call = calls[i].get_object();
    text += base::one_line(heading_of(call, i + 1, calls.size()), look.columns) + "\n" +
            base::framed(shown_arguments(call), {look.columns});
  }
  return text;
}

// What the run has called since the last request.
std::string news(const json::object& card, const CardLook& look) {
  const json::array& before = list_of(card, "before");
  const json::value* number = card.if_contains("since");
  if (!number || !number->is_int64() || before.empty()) return "";
  const auto since = std::min(static_cast<std::size_t>(number->get_int64()), before.size());
  if (since == 0) return "Nothing has been called since the last request.\n";
  std::string made;
  for (std::size_t i = before.size() - since; i < before.size(); ++i) {
    if (!before[i].is_object()) continue;
    const json::object& entry = before[i].get_object();
    made += base::one_line(text_of(entry, "tool") + ": " + text_of(entry, "outcome"), look.columns - 4) + "\n";
  }
  return "Called since the last request: " + std::to_string(since) + "\n" +
         base::framed(made, {look.columns, kMostBeforeLines});
}

bool has_rules(const json::object& card) {
  const json::array& options = list_of(card, "options");
  return std::any_of(options.begin(), options.end(), [](const json::value& option) { return option == "run"; });
}

std::string rules(const json::object& card, const CardLook& look) {
  if (list_of(card, "calls").empty()) return "";
  if (!has_rules(card)) return "A yes is for this once: no rule is as narrow as this.\n";
  std::string all;
  for (const json::value& group : list_of(card, "groups")) {
    if (group.is_object()) all += text_of(group.get_object(), "rule") + "\n";
  }
  return "For this run, this session or always, a yes would add the rule:\n" + base::framed(all, {look.columns});
}

}  // namespace

std::string card_text(const ApprovalCard& card, const CardLook& look) {
  const json::object object = read(card);
  std::string text = look.agents_words ? agents_words(object, look) : "";
  if (!text.empty()) text += "\n";
  text += who_asks(object, look);
  if (const std::string need = text_of(object, "need"); !need.empty()) {
    text += "Needed first:\n" + base::framed(need, {look.columns});
  }
  text += calls_in_full(object, look) + news(object, look) + rules(object, look);
  // The title in the request's JSON, if any, so that a repeated question is the same.
  const std::string title = text_of(object, "title");
  const char* label = list_of(object, "calls").empty() ? "" : "In all: ";
  return text + base::one_line(label + (title.empty() ? card.title : title), look.columns);
}

bool can_be_remembered(const ApprovalCard& card) {
  return has_rules(read(card));
}

std::size_t calls_on(const ApprovalCard& card) {
  return list_of(read(card), "calls").size();
}

}  // namespace glovebox::gateway
