// What a run was given, as JSON and back: a run that is resumed later must get the very same.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/sandbox.h"
#include "policy/profile/client_profile.h"

namespace glovebox::gateway {

struct RunSettings {
  SandboxConfig sandbox;
  std::vector<std::string> notes;  // for whoever asked, with the result: limits that it asked for and does not get
  // Patterns: only these may be called, whatever the policy says, here and in the capabilities that are called.
  std::optional<std::vector<std::string>> tools;
  std::optional<std::vector<std::string>> declared;  // the same for this run alone: what a capability says it uses
  // What the client's token narrows, in all that is done on the client's behalf.
  std::optional<policy::ClientProfile> profile;
  std::string principal;        // the client on whose behalf it runs, where the record's client is a part of such a run
  std::string client_name;      // what the client calls itself, in plain words, for people; may be empty
  std::string idempotency_key;  // keys of its calls are made of it; empty: of the run's id
  // Before the first call that must not be made twice, it is in the store that there is one: whoever finds the run
  // after a crash knows whether anything may have happened.
  bool careful = false;
  std::vector<std::string> chain;      // of the capabilities that led here, this one last; empty: none did
  std::size_t depth = 0;               // how many runs wait for this one, one within the other
  std::vector<std::string> variables;  // whose values the code gets as args.env
  // What the remote gateway that handed the code over calls this run; it is told how it ended. Empty: nobody is.
  std::string report_to;
  std::string traceparent;  // W3C's, of whoever asked for the run; empty: nobody said
};

std::string to_json(const RunSettings& settings);
Result<RunSettings> run_settings_of(std::string_view json);

// What the client of such a run calls itself, or nothing.
std::string client_name_in(std::string_view json);
// For lists: "claude-code (stdio)", or who it is alone.
std::string shown_client(const std::string& client, std::string_view settings_json);

}  // namespace glovebox::gateway
