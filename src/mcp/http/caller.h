// Who calls a server, over HTTP as identified by their token, and what it permits.
#pragma once

#include <optional>
#include <string>

#include "policy/profile/client_profile.h"

namespace glovebox::mcp {

struct Caller {
  std::string principal = "http";
  bool speaks_mcp = false;
  bool watches = false;                            // may see the server's status
  bool sees_runs = false;                          // may see what runs do, without private data
  bool answers = false;                            // may answer approval requests
  bool is_operator = false;                        // may see and direct what belongs to any caller
  bool asks_owner = false;                         // its forms are shown to the owner, or to someone equally trusted
  bool is_public = false;                          // any caller without a token: serves only what is public
  std::optional<policy::ClientProfile> profile{};  // how the owner restricts this client compared to others
};

}  // namespace glovebox::mcp
