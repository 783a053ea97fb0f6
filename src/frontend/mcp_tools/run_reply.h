// What a client is told about a run, as the result of a tool call: structured for programs, a text for models.
#pragma once

#include <string>

#include "gateway/approval_card.h"
#include "gateway/run_events.h"
#include "store/records.h"

namespace glovebox::frontend {

// The schema of all that these functions make.
std::string run_reply_schema();

// `members` are more members of the structured result: "a":1,"b":2.
std::string reply_of_end(const gateway::RunEnd& end, const std::string& members = "");
// What went wrong before there was a run.
std::string reply_of_failure(const std::string& code, const std::string& message, const std::string& members = "");
// { status: "approval_required", approval_type, workflow_id, description, context, options }
std::string approval_required(const gateway::ApprovalCard& card);
std::string reply_of_card(const gateway::ApprovalCard& card);
// A run as list_runs shows it.
std::string run_summary(const store::RunRecord& run);

// The result of a tool: `structured` is a JSON object.
std::string tool_reply(const std::string& structured, const std::string& text, bool is_error);

// Whether a yes can hold beyond these calls.
bool can_be_remembered(const gateway::ApprovalCard& card);

// What the person is asked, as words: the tool calls in full, the code, what the code said it is for.
std::string card_text(const gateway::ApprovalCard& card);

}  // namespace glovebox::frontend
