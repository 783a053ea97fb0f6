#include "cli/config/import_servers.h"

#include <sys/stat.h>

#include "base/text/json_text.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "config/config_file.h"
#include "config/jsonc_edit.h"
#include "config/server_name.h"
#include "config/state/state_folder.h"

namespace glovebox::cli {
namespace {

constexpr std::size_t kMostImportBytes = 16 << 20;
constexpr mode_t kForAll = 0644;
constexpr mode_t kForOwner = 0600;

bool others_may_read(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && (status.st_mode & 0077) != 0;
}

bool is_there(const std::string& path) {
  struct stat status {};
  return ::lstat(path.c_str(), &status) == 0;
}

bool has_server(const std::string& config_path, const std::string& name) {
  const auto config = config::read_config_file(config_path);
  if (!config) return false;
  for (const config::DeclaredServer& other : config->servers)
    if ((other.spec.declared.empty() ? other.spec.name : other.spec.declared) == name) return true;
  return false;
}

// Its path.
Result<std::string> keep_secrets(const config::ImportedServer& server, const std::string& workspace) {
  const std::string folder = GLOVEBOX_TRY(config::make_state_folder(workspace)).path + "/secrets";
  GLOVEBOX_TRY_VOID(base::make_folder(folder));
  const auto name = config::server_name_for(server.name);
  if (!name) return name.failure();
  // In quotes, between which nothing has a meaning.
  std::string text = "# Secrets of the server " + *name + ", imported by glovebox. Edit them here.\n";
  for (const auto& [variable, value] : server.secrets) text += variable + "='" + value + "'\n";
  const std::string path = folder + "/" + *name + ".env";
  GLOVEBOX_TRY_VOID(base::replace_file(path, text, kForOwner));
  return path;
}

Result<std::string> with_env_file(const config::ImportedServer& server, const std::string& workspace) {
  if (server.secrets.empty()) return server.json;
  const std::string path = GLOVEBOX_TRY(keep_secrets(server, workspace));
  auto json = config::set_member(server.json, {"envFile"}, base::json_string(path));
  if (!json) return Failure{ErrorCode::kInvalidArgument, json.failure().message};
  return std::move(json).value();
}

}  // namespace

Result<config::ServerImport> read_servers_of(const std::string& file, const std::string& workspace) {
  const std::string text = GLOVEBOX_TRY(base::read_whole_file(file, kMostImportBytes));
  auto servers = config::servers_to_import(text, file, workspace);
  if (servers) return std::move(servers).value();
  const config::TextPosition at = config::position_of(text, servers.failure().offset);
  return Failure{ErrorCode::kInvalidArgument, file + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) +
                                                  ": " + servers.failure().message};
}

Result<void> begin_config_file(const std::string& path, mode_t mode) {
  if (is_there(path)) return {};
  return base::replace_file(path, "{}\n", mode);
}

ImportReport import_servers(const config::ServerImport& import, const ServerSource& source, bool force) {
  ImportReport report;
  report.notes = import.notes;
  // What was for its owner alone stays so, also where nothing in it resembled a secret.
  const mode_t mode = others_may_read(source.file) ? kForAll : kForOwner;
  const bool was_there = is_there(source.into);
  if (!was_there && !import.servers.empty()) static_cast<void>(begin_config_file(source.into, mode).ok());
  for (const config::ImportedServer& server : import.servers) {
    const auto left_out = [&](const std::string& why) { report.notes.push_back(server.name + ": left out: " + why); };
    if (has_server(source.into, server.name) && !force) {
      report.notes.push_back(server.name +
                             ": already there, left unchanged; `glovebox config import --force` replaces it");
      continue;
    }
    const auto json = with_env_file(server, source.workspace);
    if (!json) {
      left_out(json.failure().message);
      continue;
    }
    const auto changed = config::change_config_file(source.into, [&](std::string_view text) {
      return config::set_member(text, {"mcpServers", server.name}, *json);
    });
    if (changed) {
      report.imported.push_back(server.name);
    } else {
      left_out(changed.failure().problems.front().message);
    }
  }
  if (!report.imported.empty() && mode == kForOwner && was_there && others_may_read(source.into)) {
    report.notes.push_back(source.into + " can be read by other users, and " + source.file +
                           " cannot: run `chmod 600 " + source.into + "` if the servers' arguments are private");
  }
  return report;
}

}  // namespace glovebox::cli
