// The approval request (`card` in JSON) that a person is shown before calls are made: docs/formats.md has the fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/tool.h"
#include "catalog/tool_source.h"
#include "store/records.h"

namespace glovebox::gateway {

struct AskedCall {
  std::uint64_t call = 0;
  catalog::Tool tool;
  std::string arguments;  // JSON
  std::string why;        // the decision's explanation
};

struct RequestInput {
  std::string id;
  std::int64_t created = 0;
  const store::RunRecord& run;
  std::string workspace;                            // absolute and normal
  std::vector<AskedCall> calls;                     // not empty
  std::vector<std::string> before;                  // JSON objects: what ran before
  std::string plan;                                 // JSON, or empty: what the code can call
  std::optional<catalog::ToolSource::Need> need{};  // of the only call, beside what the policy says
  std::size_t since = 0;                            // how many of the last in `before` were on no earlier request
};

struct ApprovalRequest {
  std::string id;
  std::string run;
  std::string title;  // write_file × 12, all under ./out
  std::string json;
};

ApprovalRequest make_approval_request(const RequestInput& input);

// Calls of one tool, and the rule that an approval beyond these calls would add.
struct CallGroup {
  std::string server;
  std::string tool;
  std::vector<std::uint64_t> calls;
  std::string under;  // the common folder of all paths in the arguments; empty: there is none
  std::string rule;   // empty if no rule is narrow enough
};
std::vector<CallGroup> group_calls(const std::vector<store::ApprovalCall>& calls, std::string_view workspace);

}  // namespace glovebox::gateway
