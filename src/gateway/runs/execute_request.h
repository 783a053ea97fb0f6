// What a client asks a gateway to run: how it is read, and the record of the run that it becomes.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gateway/runs/run_settings.h"
#include "gateway/services.h"
#include "mcp/json/json_tree.h"
#include "store/records.h"

namespace glovebox::gateway {

class RunPrivacy;

// The settings are those that the run's later attempts get as well; its depth follows from `parent` and `chain`.
struct ExecuteRequest : RunSettings {
  std::string id;  // of the run, from new_run_id(), for callers that need it before; empty: made here
  std::string code;
  Language language = Language::kTypeScript;
  std::string name = "agent.ts";
  std::string context_json = "{}";
  std::string parent;  // the run whose call this is; may be empty
  CheckMode check = CheckMode::kTools;
  std::string intent;
  std::string client;   // the run belongs to it
  std::string session;  // empty: all such runs of this gateway are one session; see Gateway::session_of
  // Empty: that of the run whose call this is, or that of clients without a conversation.
  std::shared_ptr<RunPrivacy> privacy;
  std::optional<std::string> seed;
  std::optional<std::int64_t> now_ms;
  bool may_be_cached = false;  // an earlier result may be returned, and this one may be cached
};

// From the arguments of `execute_code`. The agent is not trusted: `owners` is what the owner's config gives to every
// run, and sandbox_config can only take away from it. Asking for more is an error that says so. `owners_check` is what
// the config says, if it does: the agent may ask for a stricter check, not for a laxer one.
Result<ExecuteRequest> read_execute_request(const mcp::json::object& arguments, const SandboxConfig& owners,
                                            std::optional<CheckMode> owners_check = {});

std::string new_run_id();
Language language_of(const store::RunRecord& record);

// The record holds all that a later attempt needs.
struct NewRun {
  store::RunRecord record;
  RunSettings settings;
};
// kInvalidArgument when a pattern for tools cannot be parsed.
Result<NewRun> new_run(const ExecuteRequest& request, const Services& services);

// The audit event of its beginning. The code is written once per log file, then referred to by its digest.
AuditEvent run_started(const store::RunRecord& run, AuditLog& log);

}  // namespace glovebox::gateway
