// The MCP clients that `glovebox init` and `glovebox connect` know: where each keeps its servers, and in what form.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "config/jsonc.h"
#include "glovebox/result.h"

namespace glovebox::config {

struct ClientForm {
  enum class Style { kPlain, kTyped, kOpenCode, kToml };

  std::string_view name;   // on the command line
  std::string_view title;  // for people
  std::string_view user_file;
  std::string_view project_file;  // in the workspace; empty: the client has none
  std::string_view servers;       // the key that they stand under
  Style style = Style::kPlain;
  bool knows_workspace = false;      // it replaces ${workspaceFolder}
  std::string_view also_reads = {};  // another of the user's files with servers
};
std::span<const ClientForm> client_forms();
const ClientForm* find_client(std::string_view name);

// Of this user: ~ is the home folder; $XDG_CONFIG_HOME and $CODEX_HOME count. Nothing where there is no home.
std::optional<std::string> user_path(std::string_view file);

// A client's file that exists.
struct ClientFile {
  const ClientForm* client;
  std::string path;
  bool in_workspace = false;  // it may have come with somebody else's repository
};
std::vector<ClientFile> find_client_files(const std::string& workspace);

// The client's file with Glovebox in it, under this name, and without those servers. `command` is the program with its
// arguments.
Result<std::string, JsonProblem> with_glovebox(const ClientForm& client, std::string_view text,
                                               const std::vector<std::string>& command,
                                               const std::vector<std::string>& without);
inline constexpr const char* kEntryName = "glovebox";

// The text with … in place of every value that may be private: all of them but programs and the entry of Glovebox.
std::string without_private_values(const ClientForm& client, std::string_view text);

}  // namespace glovebox::config
