#include "agent_tools/run_reply.h"

#include <algorithm>

#include "agent_tools/answer/lean_outcome.h"
#include "base/text/json_builder.h"
#include "base/text/log_text.h"
#include "base/wall_clock.h"
#include "gateway/approvals/approval_text.h"
#include "gateway/gateway.h"
#include "mcp/json/json_tree.h"

namespace glovebox::agent_tools {
namespace {

using base::ObjectText;

// More than any result has.
constexpr double kMostCounted = 1e12;
constexpr std::string_view kHidden =
    "Values in angle brackets, such as <EMAIL_1>, are hidden here. See them on the page or at a terminal before you "
    "approve this.";

// What has to be approved: calls of tools, or something that one of them needs first.
std::string approval_type(const gateway::ApprovalRequest& request) {
  const auto tree = mcp::parse_object(request.json);
  const auto kind = tree ? mcp::string_member(*tree, "kind") : std::nullopt;
  return !kind || *kind == "tool_calls" ? "tool_call" : *kind;
}

// Also where the text goes, if it is empty so far, and where the structured content begins.
struct PlacedReply {
  std::string json;
  std::size_t text = 0;
  std::size_t structured = 0;
};
PlacedReply placed_reply(const std::string& structured, std::string_view text, bool is_error, const std::string& meta,
                         const std::vector<std::string>& blocks) {
  const std::string block = ObjectText().text("type", "text").text("text", text).done();
  base::ListText content;
  content.json(block);
  for (const std::string& other : blocks) content.json(other);
  const std::string contents = content.done();
  PlacedReply placed;
  ObjectText reply;
  reply.json_if("_meta", meta);
  const std::size_t begin = reply.json("content", contents).size() - contents.size();
  placed.text = begin + 1 + block.size() - 2;  // after the bracket, and within the last quotes of the block
  placed.structured = reply.json("structuredContent", structured).size() - structured.size();
  if (is_error) reply.flag("isError", true);
  placed.json = reply.done();
  return placed;
}

}  // namespace

std::string run_reply_schema() {
  return R"({"type":"object","properties":{"run_id":{},"result":{},"logs":{},"error":{},"next":{}}})";
}

std::string tool_reply(const std::string& structured, const std::string& text, bool is_error, const std::string& meta,
                       const std::vector<std::string>& blocks) {
  return placed_reply(structured, text, is_error, meta, blocks).json;
}

RunReply reply_of_end(const gateway::RunEnd& end, const std::function<std::string()>& code, const Budget& budget,
                      const EndWords& words) {
  const bool failed = end.status != store::RunStatus::kFinished;
  LeanOutcome lean = lean_outcome(end.run, end.outcome_json, code, budget, words.artifacts);
  const std::string structured = lean.json.members(words.state).done();
  const std::string run = ObjectText().members(words.details).members(lean.rest).done();
  const std::string meta = ObjectText().json("glovebox/run", run).done();
  const std::string_view text = lean.result_at ? std::string_view() : lean.text;
  PlacedReply placed = placed_reply(structured, text, failed, meta, lean.blocks);
  if (!lean.result_at) return {std::move(placed.json), std::nullopt};
  const std::size_t begin = placed.structured + *lean.result_at;
  return {std::move(placed.json), base::TwiceSaid{placed.text, begin, begin + lean.text.size()}};
}

Budget budget_of(const std::shared_ptr<mcp::ServerCall>& call, std::int64_t usual_bytes) {
  const double asked = mcp::number_member(call->arguments(), "result_bytes").value_or(static_cast<double>(usual_bytes));
  return {.bytes = static_cast<std::size_t>(std::clamp(asked, 1.0, kMostCounted)),
          .as_client_sees = [call](std::string json) { return call->as_client_sees(std::move(json)); }};
}

std::string reply_with_part(const mcp::ServerCall& call, const store::RunRecord& run, const Budget& budget) {
  const auto number = [&](const char* name) {
    return static_cast<std::size_t>(
        std::clamp(mcp::number_member(call.arguments(), name).value_or(0), 0.0, kMostCounted));
  };
  const PartWish wish{std::string(call.argument("path")), number("offset"), number("limit")};
  const auto part = read_part(run.id, run.outcome, wish, budget);
  if (!part) return reply_of_failure("NOT_FOUND", part.failure().message);
  const std::string structured = ObjectText().text("run_id", run.id).members(part->json).done();
  return tool_reply(structured, part->text, false, "", part->blocks);
}

std::string reply_with_details(const gateway::RunEnd& end, const std::string& more,
                               const std::vector<std::string>& blocks) {
  const std::string_view outcome = end.outcome_json.starts_with('{') ? end.outcome_json : std::string_view();
  const std::string structured = ObjectText().text("run_id", end.run).members(more).members(outcome).done();
  return tool_reply(structured, base::neutralise_json(structured), end.status != store::RunStatus::kFinished, "",
                    blocks);
}

std::string reply_of_failure(ErrorWord code, const std::string& message, const std::string& more) {
  return reply_of_failure({code, message}, more);
}

std::string reply_of_failure(const catalog::CallFailure& failure, const std::string& more) {
  ObjectText error;
  error.text("type", "ToolError").text("code", failure.code.name()).text("message", failure.message);
  const std::string structured = ObjectText().json("error", error.done()).members(more).done();
  return tool_reply(structured, "ToolError (" + failure.code.text() + "): " + failure.message, true);
}

std::string reply_of_shutdown() {
  return reply_of_failure("SHUTTING_DOWN", std::string(gateway::kShuttingDown), R"({"retryAfterMs":5000})");
}

std::string reply_of_parked(const std::string& run) {
  const std::string text =
      "The gateway is shutting down before the run has ended. The run resumes when the gateway is back: poll it then "
      "with get_run " +
      ObjectText().text("run_id", run).done() + ", and do not run the code again.";
  ObjectText structured;
  structured.text("run_id", run).text("status", "parked").number("retryAfterMs", 5000).text("note", text);
  return tool_reply(structured.done(), text, false);
}

std::string approval_required(const gateway::ApprovalRequest& request, const std::string& text) {
  // What continue_run takes: a rule for always is not a model's to pass on.
  const std::string options =
      gateway::can_be_remembered(request) ? R"(["once","run","session","deny"])" : R"(["once","deny"])";
  return ObjectText()
      .text("status", "approval_required")
      .text("approval_type", approval_type(request))
      .text("approval_id", request.id)
      .text("workflow_id", request.run)
      .text("run_id", request.run)
      .text("description", text)
      .json("context", request.json)
      .json("options", options)
      .done();
}

std::string approval_text_for(const mcp::ServerCall& call, const gateway::ApprovalRequest& request,
                              const gateway::ApprovalLayout& layout) {
  gateway::ApprovalRequest seen = request;
  seen.json = call.as_client_sees(std::move(seen.json));
  const std::string text = gateway::approval_text(seen, layout);
  // A person who is not told would approve a message to <EMAIL_2> as if that were the customer.
  return seen.json == request.json ? text : text + "\n" + std::string(kHidden);
}

// What the agent is to do, in a sentence. An agent that may not answer is not asked to show the request.
std::string next_step(const std::vector<gateway::ApprovalRequest>& requests, bool agent_may_answer) {
  const std::string calls = requests.size() == 1 ? "this" : "each of these";
  if (!agent_may_answer) {
    return "A person has to approve " + calls +
           " outside this conversation, and nothing is called before that; get_run shows the outcome.";
  }
  return "Nothing is called before a person approves " + calls +
         ": show them the request, then call continue_run with run_id, approval_id and what they decided as approved; "
         "never decide it yourself.";
}

std::string reply_of_requests(const mcp::ServerCall& call, const std::vector<gateway::ApprovalRequest>& requests,
                              bool agent_may_answer, std::size_t more) {
  std::string next = next_step(requests, agent_may_answer);
  if (more > 0) next += " " + std::to_string(more) + " more wait: get_run shows them once these are answered.";
  std::string text = next;
  std::string one;
  base::ListText shown;
  base::ListText whole;
  for (const gateway::ApprovalRequest& request : requests) {
    // The agent knows its own code; the person is shown what it does not say.
    const std::string words = approval_text_for(call, request, {.agents_words = false});
    text += "\n\nrun_id " + request.run + ", approval_id " + request.id + "\n" + words;
    one = ObjectText().text("approval_id", request.id).text("card", words).done();
    shown.json(one);
    whole.json(approval_required(request, approval_text_for(call, request)));
  }
  ObjectText structured;
  structured.text("run_id", requests.front().run).text("status", "approval_required").text("next", next);
  // One stands by itself, several in a list.
  requests.size() == 1 ? structured.members(one) : structured.json("approvals", shown.done());
  const std::string meta = ObjectText().json("glovebox/approvals", whole.done()).done();
  return tool_reply(structured.done(), text, false, meta);
}

std::string run_summary(const store::RunRecord& run) {
  return ObjectText()
      .text("run_id", run.id)
      .text("status", store::name_of(run.status))
      .text("created", base::iso_time(run.created))
      .text_or_null("ended", run.ended ? base::iso_time(*run.ended) : "")
      .text("intent", base::neutralise(run.intent))
      .done();
}

}  // namespace glovebox::agent_tools
