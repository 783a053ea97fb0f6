// Who speaks to a server, over HTTP as the token says that they show, and what it opens.
#pragma once

#include <optional>
#include <string>

#include "policy/profile/client_profile.h"

namespace glovebox::mcp {

struct Caller {
  std::string principal = "http";
  bool speaks_mcp = false;
  bool watches = false;                            // how the server is
  bool sees_runs = false;                          // what runs do, without private data
  bool answers = false;                            // what people are asked
  bool is_operator = false;                        // what is anybody's is theirs to see and direct
  bool asks_owner = false;                         // its forms are shown to the owner, or to whom they trust as much
  bool is_public = false;                          // anybody: what they ask for is for everybody
  std::optional<policy::ClientProfile> profile{};  // what the owner gives to them less than to others
};

}  // namespace glovebox::mcp
