// A tool call that is not approved yet, with what the checklist has found out about it; and its audit records.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "catalog/tool.h"
#include "catalog/tool_source.h"
#include "gateway/services.h"
#include "glovebox/tools.h"
#include "policy/tool_rules.h"
#include "store/cache/cache_records.h"

namespace glovebox::gateway {

class ManagedRun;

// What people have answered about one call with one definition.
struct Said {
  enum class Kind { kNothing, kPending, kApproved, kDenied } kind = Kind::kNothing;
  std::string approval{};
  std::string who{};
  std::string channel{};
  std::string reason{};
};

struct PendingCall {
  PendingCall(std::shared_ptr<Services> shared, ToolCall made) : services(std::move(shared)), call(std::move(made)) {
    tool.server = call.server;
    tool.name = call.tool;
  }

  std::shared_ptr<Services> services;
  catalog::ToolSource* source = &services->tools;  // once it is looked up, the one that has the tool
  ToolCall call;                                   // from "restored" on, with the arguments that the server would get
  std::string shown_arguments{};                   // redacted, as they are in the audit log; empty: not recorded yet
  catalog::Tool tool;                              // until it is known, what the code wrote
  std::optional<Result<catalog::Tool, catalog::CallFailure>> found{};  // the tool's lookup, until "known" reads it
  const char* step = "";                                               // the last step reached
  bool is_known = false;
  policy::ToolDecision decision{};
  Said said{};
  bool counted = false;                             // against the rate limits
  std::optional<catalog::ToolSource::Need> need{};  // that is not met
  std::string cache_key{};                          // empty: the result may not be cached
  // What the cache has under that key, once it was searched.
  std::optional<std::pair<std::string, std::optional<store::CacheEntry>>> kept{};
  bool leads_flight = false;            // identical calls wait for its result
  std::function<void()> check_again{};  // that result is there, or will not come
  bool is_written = false;              // it is recorded that the call is about to be made
  std::string claimed{};                // the approval that the store was asked to mark as used
  Result<void> claim{};                 // its answer
  // The store has answered a step that waits for it: the answer is noted, and the call is checked again.
  std::function<void(const std::function<void(PendingCall&)>& note)> on_stored{};
};

std::string name_of_tool(const catalog::Tool& tool);
// A name that no server has is the code's own text: redacted and truncated.
std::string name_for_record(const PendingCall& call);
AuditEvent call_event(const char* name, const PendingCall& call, const ManagedRun& run);
// What of a failure is for the owner only.
std::string_view detail_of(const catalog::CallFailure& failure);

}  // namespace glovebox::gateway
