// What a client is told about a run, as the result of a tool call: structured for programs, a text for models.
#pragma once

#include <string>
#include <vector>

#include "gateway/approval_card.h"
#include "gateway/run_events.h"
#include "mcp/server_call.h"
#include "store/records.h"

namespace glovebox::frontend {

// The schema of all that these functions make.
std::string run_reply_schema();

// `members` are more members of the structured result: "a":1,"b":2.
std::string reply_of_end(const gateway::RunEnd& end, const std::string& members = "");
// What went wrong before there was a run.
std::string reply_of_failure(const std::string& code, const std::string& message, const std::string& members = "");
// { status: "approval_required", approval_type, approval_id, workflow_id, description, context, options }; `text` is
// the card in words.
std::string approval_required(const gateway::ApprovalCard& card, const std::string& text);
// The card in words, for this client: lines are broken after the client's filter has seen what is in them.
std::string card_text_for(const mcp::ServerCall& call, const gateway::ApprovalCard& card);

// What a run waits for, for this client; `cards` is not empty. The agent is told no command that approves.
// `agent_may_answer`: it may pass on what its person says.
std::string reply_of_cards(const mcp::ServerCall& call, const std::vector<gateway::ApprovalCard>& cards,
                           bool agent_may_answer);
// A run as list_runs shows it.
std::string run_summary(const store::RunRecord& run);

// The result of a tool: `structured` is a JSON object.
std::string tool_reply(const std::string& structured, const std::string& text, bool is_error);

}  // namespace glovebox::frontend
