#include "frontend/mcp_tools/run_reply.h"

#include "base/json_text.h"
#include "broker/log_text.h"
#include "gateway/words.h"
#include "mcp/json_tree.h"

namespace glovebox::frontend {
namespace {

using gateway::json_text;

// A model reads logs to mend its code; it does not need all of a flood.
constexpr std::size_t kMostReplyLogBytes = 16 * 1024;

void append_logs(std::string& text, const std::vector<LogLine>& logs) {
  if (logs.empty()) return;
  text += "\n\nlogs:\n";
  const std::size_t begin = text.size();
  for (const LogLine& line : logs) {
    if (text.size() - begin > kMostReplyLogBytes) {
      text += "… (all of them are in structuredContent.logs)\n";
      return;
    }
    text += line.text + "\n";
  }
}

// What the check found and let pass; an error tells its own.
void append_warnings(std::string& text, const Outcome& outcome) {
  constexpr std::size_t kMostTold = 10;
  std::size_t told = 0;
  for (const Diagnostic& diagnostic : outcome.diagnostics) {
    if (diagnostic.severity == Diagnostic::Severity::kError) continue;
    if (told++ == 0) text += "\n\nwarnings of the check before the run:\n";
    if (told > kMostTold) {
      text += "… (all of them are in structuredContent.diagnostics)\n";
      return;
    }
    text += describe(diagnostic, "agent.ts") + "\n";
  }
}

std::string outcome_text(const Outcome& outcome) {
  std::string text;
  if (const RunError* error = outcome.error()) {
    text = std::string(name_of(error->type)) + " (" + error->code + "): " + error->message;
    if (!error->stack.empty()) text += "\n" + error->stack;
  } else {
    text = outcome.result_json();
  }
  append_logs(text, outcome.logs);
  append_warnings(text, outcome);
  return text;
}

std::string with_run_id(const std::string& run, const std::string& outcome_json) {
  if (!outcome_json.starts_with('{') || outcome_json.size() < 3) return R"({"run_id":)" + json_text(run) + "}";
  return R"({"run_id":)" + json_text(run) + "," + outcome_json.substr(1);
}

std::string shown_arguments(const mcp::json::object& call) {
  const auto* arguments = mcp::member(call, "arguments");
  return arguments ? base::pretty_json(mcp::json::serialize(*arguments)) : "{}";
}

}  // namespace

namespace {

// What has to be approved: calls of tools, or something that one of them needs first.
std::string approval_type(const gateway::ApprovalCard& card) {
  const auto tree = mcp::parse_object(card.json);
  const auto kind = tree ? mcp::string_member(*tree, "kind") : std::nullopt;
  return !kind || *kind == "tool_calls" ? "tool_call" : *kind;
}

}  // namespace

bool can_be_remembered(const gateway::ApprovalCard& card) {
  return card.json.find(R"("options":["once","run")") != std::string::npos;
}

std::string run_reply_schema() {
  return R"({"type":"object","properties":{)"
         R"("run_id":{"type":"string"},)"
         R"("result":{"description":"what the code returned"},)"
         R"("logs":{"type":"array","items":{"type":"string"}},)"
         R"("diagnostics":{"type":"array","description":"what a check of the types found before the run"},)"
         R"("metrics":{"type":"object"},"state":{},"trace":{"type":"array"},)"
         R"("error":{"type":"object","properties":{"type":{"type":"string"},"code":{"type":"string"},)"
         R"("message":{"type":"string"}}},)"
         R"("status":{"type":"string","description":"approval_required: nothing has ended; see continue_run"},)"
         R"("approval_type":{"type":"string"},"workflow_id":{"type":"string"},"description":{"type":"string"},)"
         R"("context":{"type":"object"},"options":{"type":"array","items":{"type":"string"}},)"
         R"("discoveredTools":{"type":"array","items":{"type":"object"},"description":"tools that fit the intent"},)"
         R"("injectedTools":{"type":"array","items":{"type":"string"}},"declarations":{"type":"string"},)"
         R"("note":{"type":"string"}}})";
}

std::string tool_reply(const std::string& structured, const std::string& text, bool is_error) {
  std::string reply = R"({"content":[{"type":"text","text":)" + json_text(text) + "}]";
  reply += R"(,"structuredContent":)" + structured;
  if (is_error) reply += R"(,"isError":true)";
  return reply + "}";
}

std::string reply_of_end(const gateway::RunEnd& end, const std::string& members) {
  const bool failed = end.status != store::RunStatus::kFinished;
  std::string structured = with_run_id(end.run, end.outcome_json);
  if (!members.empty()) structured.insert(structured.size() - 1, "," + members);
  return tool_reply(structured, end.outcome ? outcome_text(*end.outcome) : structured, failed);
}

std::string reply_of_failure(const std::string& code, const std::string& message, const std::string& members) {
  const std::string structured = R"({"error":{"type":"ToolError","code":)" + json_text(code) + R"(,"message":)" +
                                 json_text(message) + "}" + (members.empty() ? "" : "," + members) + "}";
  return tool_reply(structured, "ToolError (" + code + "): " + message, true);
}

std::string approval_required(const gateway::ApprovalCard& card) {
  // What continue_run takes: a rule for always is not a model's to pass on.
  const std::string options = can_be_remembered(card) ? R"(["once","run","session","deny"])" : R"(["once","deny"])";
  return R"({"status":"approval_required","approval_type":)" + json_text(approval_type(card)) + R"(,"workflow_id":)" +
         json_text(card.run) + R"(,"run_id":)" + json_text(card.run) + R"(,"description":)" +
         json_text(card_text(card)) + R"(,"context":)" + card.json + R"(,"options":)" + options + "}";
}

std::string reply_of_card(const gateway::ApprovalCard& card) {
  return tool_reply(approval_required(card),
                    "A person has to approve this before the run goes on. None of these calls has been made yet.\n\n" +
                        card_text(card) + "\n\nWhen the person has decided: continue_run { \"run_id\": \"" + card.run +
                        "\", \"approved\": true or false }. Or they answer with `glovebox approvals approve " +
                        card.id + "`.",
                    false);
}

std::string run_summary(const store::RunRecord& run) {
  return R"({"run_id":)" + json_text(run.id) + R"(,"status":)" + json_text(store::name_of(run.status)) +
         R"(,"created":)" + json_text(gateway::iso_time(run.created)) + R"(,"ended":)" +
         (run.ended ? json_text(gateway::iso_time(*run.ended)) : "null") + R"(,"intent":)" + json_text(run.intent) +
         "}";
}

std::string card_text(const gateway::ApprovalCard& card) {
  const auto tree = mcp::parse_object(card.json);
  if (!tree.ok()) return card.title;
  const mcp::json::object& object = tree.value();
  // Of the card's text: a question that is asked again must be the same, to the letter.
  std::string text = mcp::string_member(object, "title").value_or(card.title) + "\n";
  if (const auto intent = mcp::string_member(object, "intent"); intent && !intent->empty()) {
    text += "Said to be for: " + *intent + "\n";
  }
  if (const auto need = mcp::string_member(object, "need")) text += "\n" + *need + "\n";
  if (const auto* calls = mcp::array_member(object, "calls")) {
    for (const auto& item : *calls) {
      const auto* call = item.if_object();
      if (!call) continue;
      text += "\n" + mcp::string_member(*call, "server").value_or("") + "." +
              mcp::string_member(*call, "tool").value_or("") + " " + shown_arguments(*call) + "\n";
    }
  }
  if (const auto code = mcp::string_member(object, "code")) text += "\nThe code that asks:\n" + *code + "\n";
  return broker::neutralise(text);
}

}  // namespace glovebox::frontend
