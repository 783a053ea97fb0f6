// The result of a tool call about a run: structured for programs, text for models.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent_tools/answer/artifact_blocks.h"
#include "agent_tools/answer/result_part.h"
#include "base/text/twice_said.h"
#include "catalog/catalog.h"
#include "gateway/approvals/approval_request.h"
#include "gateway/approvals/approval_text.h"
#include "gateway/runs/run_events.h"
#include "glovebox/error_word.h"
#include "mcp/server/server_call.h"
#include "store/records.h"

namespace glovebox::agent_tools {

// The schema of all that these functions make.
std::string run_reply_schema();

// What goes with an outcome: JSON objects whose members are added. Each may be empty.
struct EndWords {
  std::string state;    // for the model
  std::string details;  // for programs
  ArtifactAccess artifacts = {};
};
// `twice` says where a text is still to be made: the result is its own text.
struct RunReply {
  std::string json;
  std::optional<base::TwiceSaid> twice;

  void send(mcp::ServerCall& call) && {
    if (twice) return call.reply(std::move(json), *twice);
    call.reply(std::move(json));
  }
};
// `code` is the run's, and asked for only where an error points into it; null where the agent has written none.
RunReply reply_of_end(const gateway::RunEnd& end, const std::function<std::string()>& code, const Budget& budget,
                      const EndWords& words = {});
// How much of a result this call gets: as it says itself, or as the config has it.
Budget budget_of(const std::shared_ptr<mcp::ServerCall>& call, std::int64_t usual_bytes);
// A part of what a run has given, as get_run was asked for it.
std::string reply_with_part(const mcp::ServerCall& call, const store::RunRecord& run, const Budget& budget);
// All that is known of it, for clients that ask for it and for gateways: the whole ExecutionResult and the members of
// `more`.
std::string reply_with_details(const gateway::RunEnd& end, const std::string& more = "",
                               const std::vector<std::string>& blocks = {});
// What went wrong before there was a run, and the members of `more`.
std::string reply_of_failure(const catalog::CallFailure& failure, const std::string& more = "");
std::string reply_of_failure(ErrorWord code, const std::string& message, const std::string& more = "");
// For a client that wants something new of a gateway that is about to end.
std::string reply_of_shutdown();
// The gateway ends before the run does, and the next one continues with it.
std::string reply_of_parked(const std::string& run);
// { status: "approval_required", approval_type, approval_id, workflow_id, description, context, options }; `text` is
// the request in words.
std::string approval_required(const gateway::ApprovalRequest& request, const std::string& text);
// The request in words, for this client: lines are broken after the client's filter has seen what is in them.
std::string approval_text_for(const mcp::ServerCall& call, const gateway::ApprovalRequest& request,
                              const gateway::ApprovalLayout& layout = {});

// What a run waits for, for this client; `requests` is not empty. The agent learns of no command that approves.
// `agent_may_answer`: it may pass on what its person says. `more` wait that are not among them.
std::string reply_of_requests(const mcp::ServerCall& call, const std::vector<gateway::ApprovalRequest>& requests,
                              bool agent_may_answer, std::size_t more = 0);
// A run as list_runs shows it.
std::string run_summary(const store::RunRecord& run);

// The result of a tool: `structured` is a JSON object. `meta` is `_meta`, an object that no model reads; `blocks` are
// content beside the text.
std::string tool_reply(const std::string& structured, const std::string& text, bool is_error,
                       const std::string& meta = "", const std::vector<std::string>& blocks = {});

}  // namespace glovebox::agent_tools
