#include "frontend/mcp_tools/run_reply.h"

#include "broker/log_text.h"
#include "gateway/card/card_text.h"
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

// What happened, once: messages begin with their type, and stacks begin or end with the message.
std::string error_text(const RunError& error) {
  const std::string type(name_of(error.type));
  std::string_view message = error.message;
  std::string_view stack = error.stack;
  if (stack.starts_with(message)) stack.remove_prefix(message.size());
  if (stack.ends_with(message)) stack.remove_suffix(message.size());
  while (stack.starts_with('\n')) stack.remove_prefix(1);
  while (stack.ends_with('\n')) stack.remove_suffix(1);
  if (message.starts_with(type + ": ")) message.remove_prefix(type.size() + 2);
  std::string text = type + " (" + error.code + "): " + std::string(message);
  return stack.empty() ? text : text + "\n" + std::string(stack);
}

std::string outcome_text(const Outcome& outcome) {
  std::string text;
  if (const RunError* error = outcome.error()) {
    text = error_text(*error);
  } else {
    // The same JSON; a model reads what is in it, and nothing stands in it unseen.
    text = broker::neutralise_json(outcome.result_json());
  }
  append_logs(text, outcome.logs);
  append_warnings(text, outcome);
  return text;
}

std::string with_run_id(const std::string& run, const std::string& outcome_json) {
  if (!outcome_json.starts_with('{') || outcome_json.size() < 3) return R"({"run_id":)" + json_text(run) + "}";
  return R"({"run_id":)" + json_text(run) + "," + outcome_json.substr(1);
}

// What has to be approved: calls of tools, or something that one of them needs first.
std::string approval_type(const gateway::ApprovalCard& card) {
  const auto tree = mcp::parse_object(card.json);
  const auto kind = tree ? mcp::string_member(*tree, "kind") : std::nullopt;
  return !kind || *kind == "tool_calls" ? "tool_call" : *kind;
}

}  // namespace

std::string run_reply_schema() {
  return R"({"type":"object","properties":{)"
         R"("run_id":{"type":"string"},)"
         R"("result":{"description":"what the code returned"},)"
         R"("logs":{"type":"array","items":{"type":"string"}},)"
         R"("diagnostics":{"type":"array","description":"what a check of the types found before the run"},)"
         R"("metrics":{"type":"object"},"trace":{"type":"array"},)"
         R"("state":{"type":"object","description":"context.state with the state of the result merged into it"},)"
         R"("error":{"type":"object","properties":{"type":{"type":"string"},"code":{"type":"string"},)"
         R"("message":{"type":"string"}}},)"
         R"("status":{"type":"string","description":"approval_required: nothing has ended; see continue_run"},)"
         R"("approval_id":{"type":"string","description":"of the card: what continue_run is asked about"},)"
         R"("approvals":{"type":"array","items":{"type":"object"},"description":"every card that is open, in order"},)"
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

std::string approval_required(const gateway::ApprovalCard& card, const std::string& text) {
  // What continue_run takes: a rule for always is not a model's to pass on.
  const std::string options =
      gateway::can_be_remembered(card) ? R"(["once","run","session","deny"])" : R"(["once","deny"])";
  return R"({"status":"approval_required","approval_type":)" + json_text(approval_type(card)) + R"(,"approval_id":)" +
         json_text(card.id) + R"(,"workflow_id":)" + json_text(card.run) + R"(,"run_id":)" + json_text(card.run) +
         R"(,"description":)" + json_text(text) + R"(,"context":)" + card.json + R"(,"options":)" + options + "}";
}

std::string card_text_for(const mcp::ServerCall& call, const gateway::ApprovalCard& card) {
  gateway::ApprovalCard seen = card;
  seen.json = call.as_client_sees(std::move(seen.json));
  return gateway::card_text(seen);
}

std::string reply_of_cards(const mcp::ServerCall& call, const std::vector<gateway::ApprovalCard>& cards,
                           bool agent_may_answer) {
  std::string text = "A person has to approve this before the run goes on. None of these calls has been made yet.";
  std::vector<std::string> all;
  for (const gateway::ApprovalCard& card : cards) {
    const std::string words = card_text_for(call, card);
    all.push_back(approval_required(card, words));
    text += "\n\n" + words;
    if (agent_may_answer) {
      text += "\n\nShow the person this card. When they have decided about it: continue_run { \"run_id\": \"" +
              card.run + "\", \"approval_id\": \"" + card.id +
              "\", \"approved\": true or false }. Never decide it yourself.";
    }
  }
  if (!agent_may_answer) {
    text += "\n\nThe owner answers this outside of this conversation. get_run tells what has come of it.";
  }
  std::string structured = all.front();
  if (all.size() > 1) {
    std::string list;
    for (const std::string& one : all) list += (list.empty() ? "" : ",") + one;
    structured.insert(structured.size() - 1, R"(,"approvals":[)" + list + "]");
  }
  return tool_reply(structured, text, false);
}

std::string run_summary(const store::RunRecord& run) {
  return R"({"run_id":)" + json_text(run.id) + R"(,"status":)" + json_text(store::name_of(run.status)) +
         R"(,"created":)" + json_text(gateway::iso_time(run.created)) + R"(,"ended":)" +
         (run.ended ? json_text(gateway::iso_time(*run.ended)) : "null") + R"(,"intent":)" +
         json_text(broker::neutralise(run.intent)) + "}";
}

}  // namespace glovebox::frontend
