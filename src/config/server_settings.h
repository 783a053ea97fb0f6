// The keys `mcpServers` and `servers` of a config file: third-party programs that offer tools.
#pragma once

#include <string>
#include <vector>

#include "config/jsonc.h"
#include "config/server_spec.h"
#include "config/variables.h"

namespace glovebox::config {

// A server as the file declares it, with variables unexpanded.
struct DeclaredServer {
  ServerSpec spec;
  std::string env_file;
};

// Whether this key of a server is known and has a meaning here.
bool is_server_key(std::string_view key);

// Reads one of these keys into `server`; false when it is unknown. `path` names the server in messages.
bool read_server_key(const JsonMember& key, const std::string& path, DeclaredServer& server,
                     std::vector<JsonProblem>& problems);

// Reads the members of `node`, which is under `key`. Wrong keys and values are added to `problems`. Keys of other
// programs in such files are ignored. A name that is invalid or a duplicate is a problem of that server alone.
void read_servers(const JsonNode& node, const std::string& key, std::vector<DeclaredServer>& servers,
                  std::vector<JsonProblem>& problems);

// The server as it is used: variables are expanded, the environment file is read, paths are relative to `folder`. What
// is missing is reported in `problem`.
ServerSpec prepare_server(const DeclaredServer& declared, const std::string& folder, const Variables& variables);

}  // namespace glovebox::config
