// One MCP server as glovebox.json declares it: how it is reached, and its timeouts.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace glovebox::config {

struct OAuthSpec {
  std::string client_id;
  std::string client_secret;
  std::string issuer;
  bool for_itself = false;  // client_credentials: there is no person to ask

  bool operator==(const OAuthSpec&) const = default;
};

// Texts are ready for use: variables are expanded, and paths are absolute or relative to the file's folder.
struct ServerSpec {
  std::string name;      // letters, digits, - and _: its name in code, patterns and files
  std::string declared;  // the key in the file, if it differs

  // Over standard input and output…
  std::string command;
  std::vector<std::string> args;
  std::map<std::string, std::string> env;
  std::string cwd;
  // … or over HTTP. Exactly one of `command` and `url` is set, unless `problem` says what is wrong.
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;  // may hold secrets
  std::optional<OAuthSpec> oauth;

  bool disabled = false;
  std::chrono::milliseconds start_timeout{60'000};  // npx may have to download it first
  // For a call without an answer or progress; nothing: as its caller says, or 30 s.
  std::optional<std::chrono::milliseconds> call_timeout;
  std::chrono::milliseconds idle_timeout{5 * 60'000};  // zero: never stopped
  bool restart = true;                                 // after it has ended by itself

  // Its tools are named Class.method, and each class is offered as a server of its own.
  bool classes = false;

  // Why it cannot be used, such as a variable that is not set. Other servers are not affected.
  std::string problem;

  bool is_http() const { return !url.empty(); }
  bool operator==(const ServerSpec&) const = default;
};

}  // namespace glovebox::config
