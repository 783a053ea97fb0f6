// glovebox.json: where it is, what it says, what is wrong with it.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/file_stamp.h"
#include "config/gateway_settings.h"
#include "config/jsonc.h"
#include "config/sandbox_settings.h"
#include "config/server_settings.h"
#include "config/trust/authority.h"
#include "glovebox/result.h"

namespace glovebox::config {

inline constexpr const char* kConfigName = "glovebox.json";

struct ConfigFile {
  std::string path;
  FileStamp stamp;          // none when it comes from a text
  std::string text;         // as it is written
  SandboxSettings sandbox;  // its relative paths start at the file's folder
  std::vector<DeclaredServer> servers;
  GatewaySettings gateway;
  Authority authority;  // what of it the owner has to approve
  std::string link;     // what the file is a link to, if that is out of its folder: changes are written there

  // What is left of a file that the owner has not approved: lower limits.
  ConfigFile without_authority() const;

  // The servers as they are used: with `variables` expanded, and paths relative to the file's folder.
  std::vector<ServerSpec> prepared_servers(const Variables& variables = process_variable) const;
};

struct ConfigProblem {
  std::optional<TextPosition> position;  // none: the file as a whole
  std::string message;
};

struct ConfigProblems {
  std::string path;
  std::vector<ConfigProblem> problems;

  // file:line:column: message, one line for each.
  std::string text() const;
};

template <typename T>
using ConfigResult = Result<T, ConfigProblems>;

ConfigResult<ConfigFile> parse_config(std::string_view text, const std::string& path);
ConfigResult<ConfigFile> read_config_file(const std::string& path);

// Changes the text of the file, which need not exist yet, and replaces it in one step. What is wrong with the file
// before or after the change is reported, and then nothing is written. The change is the owner's: a file that was
// trusted stays trusted.
using TextChange = std::function<Result<std::string, JsonProblem>(std::string_view text)>;
ConfigResult<void> change_config_file(const std::string& path, const TextChange& change);

// Whether the current folder has one.
bool config_file_is_here();

}  // namespace glovebox::config
