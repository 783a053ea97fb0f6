// The settings of a run, as JSON and back: an attempt that resumes it later must get the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/sandbox.h"
#include "policy/profile/client_profile.h"

namespace glovebox::gateway {

struct RunSettings {
  SandboxConfig config;
  std::vector<std::string> notes;  // for the client, with the result: limits that it asked for and does not get
  // Patterns: only these may be called, whatever the policy says, here and in called capabilities.
  std::optional<std::vector<std::string>> tools;
  std::optional<std::vector<std::string>> declared;  // the same for this run alone: what a capability declares
  // What the client's token allows; applies to all that is done on the client's behalf.
  std::optional<policy::ClientProfile> profile;
  std::string principal;        // the client on whose behalf it runs, if the record's client is not that client
  std::string client_name;      // what the client calls itself, for display; may be empty
  std::string idempotency_key;  // keys of its calls are derived from it; empty: from the run's id
  // Before its first call that must not be made twice, the store records that there is one: so it is known after a
  // crash whether anything may have happened.
  bool careful = false;
  std::vector<std::string> chain;      // the capabilities that led here, this one last; may be empty
  std::size_t depth = 0;               // how many nested runs wait for this one
  std::vector<std::string> variables;  // whose values the code gets as args.env; the store never holds them
  // The run's id at the remote gateway that handed the code over and gets a report of the end. Empty: no report.
  std::string report_to;
  std::string traceparent;  // W3C's, of the caller; may be empty, and is ignored if invalid
};

std::string to_json(const RunSettings& settings);
Result<RunSettings> run_settings_of(std::string_view json);

// What the client of such a run calls itself, or nothing.
std::string client_name_in(std::string_view json);
// For lists: "claude-code (stdio)", or the client alone.
std::string shown_client(const std::string& client, std::string_view settings_json);

}  // namespace glovebox::gateway
