// What a client asks a gateway to run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "glovebox/sandbox.h"
#include "policy/profile/client_profile.h"

namespace glovebox::gateway {

class RunPrivacy;

struct ExecuteRequest {
  std::string id;  // of the run, from new_run_id(), for callers that need it before; empty: made here
  std::string code;
  Language language = Language::kTypeScript;
  std::string name = "agent.ts";
  std::string context_json = "{}";
  SandboxConfig config;
  std::vector<std::string> notes;                    // see RunSettings
  std::optional<std::vector<std::string>> tools;     // patterns: only these, also in called capabilities
  std::optional<std::vector<std::string>> declared;  // patterns: only these, of its own calls
  std::vector<std::string> chain;                    // the capabilities that lead here, this one last
  std::vector<std::string> variables;  // whose values the code gets as args.env; the store never holds them
  std::string parent;                  // the run whose call this is; may be empty
  std::string traceparent;             // W3C's, of the caller; ignored if invalid
  CheckMode check = CheckMode::kTools;
  std::string intent;
  std::string client;                            // the run belongs to it
  std::string client_name;                       // what it calls itself; see RunSettings
  std::string principal;                         // on whose behalf, if that is another client; see RunSettings
  std::optional<policy::ClientProfile> profile;  // what its token allows; see RunSettings
  std::string session;  // empty: all such runs of this gateway are one session; see Gateway::session_of
  // Empty: that of the run whose call this is, or that of clients without a conversation.
  std::shared_ptr<RunPrivacy> privacy;
  std::optional<std::string> seed;
  std::optional<std::int64_t> now_ms;
  std::string idempotency_key;  // see RunSettings
  bool careful = false;
  bool may_be_cached = false;  // an earlier result may be returned, and this one may be cached
  std::string report_to;       // see RunSettings
};

}  // namespace glovebox::gateway
