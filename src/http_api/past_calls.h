// Past calls, from the audit log: what a rule was used for, and what another one would allow.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "mcp/json/json_tree.h"
#include "policy/tool_rules.h"

namespace glovebox::http_api {

struct PastCall {
  std::string time;  // RFC 3339
  std::string run;
  std::string server;
  std::string tool;
  mcp::json::object arguments;  // without secrets and private data; long ones are cut
  bool whole = false;           // nothing of the arguments is left out
  std::string verdict;          // allow, approved, ask, deny
  std::string effect;           // of the rule that spoke of it: allow, ask, deny; empty: none did
  std::string rule;
};

// Newest first. One that was asked about and then made is there once. `each` sees every record on the way.
std::vector<PastCall> past_calls(const std::string& audit_log,
                                 const std::function<void(const mcp::json::object& record)>& each = {});

// Whether an allow rule with this pattern covers the call. Nothing: what the log left out decides.
std::optional<bool> covers(const policy::ToolPattern& pattern, const PastCall& call);

}  // namespace glovebox::http_api
