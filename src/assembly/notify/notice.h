// The notice that the owner's own program or address gets when a person is asked: enough to know that something waits,
// and nothing that only the approver should see. It contains no arguments, code or text from the agent.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "store/records.h"
#include "store/workflows/workflow_records.h"

namespace glovebox::assembly {

// JSON: {"type":"approval.asked","timestamp":…,"data":{…}}.
std::string notice_of(const store::ApprovalRecord& approval, const std::string& client, const std::string& workspace);

// Of a decision that a person is to take about a workflow: {"type":"decision.asked",…}. Nothing where an agent decides.
struct DecisionNotice {
  std::string id;  // the same from every gateway that sends it
  std::string text;
};
std::optional<DecisionNotice> notice_of(const store::WorkflowRecord& workflow, const store::WorkflowEvent& event,
                                        const std::string& workspace);

// The value of webhook-signature, as the Standard Webhooks specification has it. A secret that begins with "whsec_" is
// base64 behind that; any other is its own bytes.
std::string webhook_signature(std::string_view secret, std::string_view id, std::int64_t seconds,
                              std::string_view body);

}  // namespace glovebox::assembly
