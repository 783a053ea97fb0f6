// What a run asked and the replies it received, as JSON that people read and `glovebox test` replays.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/rehearsal.h"
#include "glovebox/tools.h"

namespace glovebox::gateway {

// [{op, args, body?, answer: {value | text | base64 | error}, now, turn, after}, …]. Values keep their original text.
std::string to_json(const std::vector<RecordedCall>& calls);
// The failure's message says which call is wrong, and how.
Result<std::vector<RecordedCall>> recorded_calls_of(std::string_view json);

// [{server, tools: [name, …]}, …]
std::string to_json(const std::vector<ToolNamespace>& servers);
Result<std::vector<ToolNamespace>> namespaces_of(std::string_view json);

// Hashes of definitions by server:tool, as {"github:list_commits": "sha256-…"}.
std::string to_json(const std::map<std::string, std::string>& definitions);
Result<std::map<std::string, std::string>> definitions_of(std::string_view json);

}  // namespace glovebox::gateway
