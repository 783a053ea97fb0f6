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
  std::string_view servers;       // the key of their servers
  Style style = Style::kPlain;
  bool knows_workspace = false;      // it replaces ${workspaceFolder}
  std::string_view also_reads = {};  // another file of the user with servers
};
std::span<const ClientForm> client_forms();
const ClientForm* find_client(std::string_view name);

// For this user: ~ is the home folder; $XDG_CONFIG_HOME and $CODEX_HOME are respected. Nothing where there is no home.
std::optional<std::string> user_path(std::string_view file);

// A client's file that exists.
struct ClientFile {
  const ClientForm* client;
  std::string path;
  bool in_workspace = false;  // it may have come with an untrusted repository
};
std::vector<ClientFile> find_client_files(const std::string& workspace);

// The client's file with Glovebox added under this name, and without those servers. `command` is the program with its
// arguments.
Result<std::string, JsonProblem> with_glovebox(const ClientForm& client, std::string_view text,
                                               const std::vector<std::string>& command,
                                               const std::vector<std::string>& without);
inline constexpr const char* kEntryName = "glovebox";

// The text with … in place of every value that may be private: all except programs and the entry of Glovebox.
std::string without_private_values(const ClientForm& client, std::string_view text);

}  // namespace glovebox::config
