// What a client asks a gateway to run.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "gateway/runs/run_settings.h"

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

}  // namespace glovebox::gateway
