// The keys `mcpServers` and `servers` of a config file: other people's programs that offer tools.
#pragma once

#include <string>
#include <vector>

#include "config/jsonc.h"
#include "config/server_spec.h"
#include "config/variables.h"

namespace glovebox::config {

// A server as the file writes it, variables and all.
struct DeclaredServer {
  ServerSpec spec;
  std::string env_file;
};

// Whether a server may have this key in our file, and it means something here.
bool is_server_key(std::string_view key);

// Reads one of these keys into `server`; false when it is none. `path` names the server in messages.
bool read_server_key(const JsonMember& key, const std::string& path, DeclaredServer& server,
                     std::vector<JsonProblem>& problems);

// Reads the members of `node`, which stands under `key`. Wrong keys and values are added to `problems`. Keys that other
// programs have in such files are left alone. A name that cannot be used, or that is there already, is a problem of
// that server alone.
void read_servers(const JsonNode& node, const std::string& key, std::vector<DeclaredServer>& servers,
                  std::vector<JsonProblem>& problems);

// The server as it is used: variables are expanded, the environment file is read, paths are meant from `folder`. What
// is missing ends up in `problem`.
ServerSpec prepare_server(const DeclaredServer& declared, const std::string& folder, const Variables& variables);

}  // namespace glovebox::config
