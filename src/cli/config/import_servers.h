// Imports the servers of another program's config file into ours. Their secrets go into files of the workspace's state
// folder that only the owner can read, one for each server.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

#include "config/clients/server_import.h"
#include "glovebox/result.h"

namespace glovebox::cli {

struct ServerSource {
  std::string file;       // of the other program
  std::string into;       // our config file, which may not exist
  std::string workspace;  // absolute
};

// The message names file, line and column.
Result<config::ServerImport> read_servers_of(const std::string& file, const std::string& workspace);

// An empty config with this mode, unless there is one. Changes keep the mode.
Result<void> begin_config_file(const std::string& path, mode_t mode);

struct ImportReport {
  std::vector<std::string> imported;
  std::vector<std::string> notes;
};
// Each server by itself, so that one that is wrong costs the others nothing. One that is there already stays as it is,
// unless `force`.
ImportReport import_servers(const config::ServerImport& import, const ServerSource& source, bool force);

}  // namespace glovebox::cli
