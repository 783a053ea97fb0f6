// Who speaks to an HttpServer, as the token says that they show, and what it opens.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace glovebox::mcp {

struct Caller {
  std::string principal = "http";
  bool speaks_mcp = false;
  bool watches = false;      // how the server is
  bool sees_runs = false;    // what runs do, without private data
  bool answers = false;      // what people are asked
  bool is_operator = false;  // what is anybody's is theirs to see and direct
  bool is_public = false;    // anybody: what they ask for is for everybody
  // Patterns of what may be called, beyond what the owner says. Nothing: no such bounds.
  std::optional<std::vector<std::string>> tools{};
};

}  // namespace glovebox::mcp
