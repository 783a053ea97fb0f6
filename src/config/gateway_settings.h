// The keys of a config file that `glovebox serve` reads beside servers and sandbox.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/jsonc.h"

namespace glovebox::config {

// Patterns as they are written; the policy knows what they mean.
struct Permissions {
  std::vector<std::string> allow;
  std::vector<std::string> ask;
  std::vector<std::string> deny;
};

struct StoreSettings {
  std::string path;  // of the database; empty: in the state folder
};

struct HttpSettings {
  std::string listen;  // ADDRESS:PORT
  std::string token;   // variables in it are expanded by whoever uses it
  std::string certificate;
  std::string key;
  std::vector<std::string> allowed_hosts;
  std::vector<std::string> allowed_origins;
  bool open = false;  // no token; on loopback only
};

struct CallLimits {
  std::optional<std::int64_t> calls_per_run;
  std::optional<std::int64_t> concurrent_calls;                // of one run
  std::map<std::string, std::int64_t> calls_per_minute;        // by pattern: "github", "github:search_*"
  std::map<std::string, std::int64_t> concurrent_per_pattern;  // likewise
};

struct GatewaySettings {
  Permissions permissions;
  StoreSettings store;
  HttpSettings http;
  CallLimits limits;
};

// Reads the member if it is one of these keys; false when it is not.
bool read_gateway_setting(const JsonMember& member, GatewaySettings& settings, std::vector<JsonProblem>& problems);

}  // namespace glovebox::config
