#include "config/config_file.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "base/text/json_text.h"
#include "base/whole_file.h"
#include "config/nearest_word.h"
#include "config/schema/setting_schemas.h"
#include "config/skill_settings.h"
#include "config/trust/trust_record.h"

namespace glovebox::config {
namespace {

constexpr std::size_t kMostConfigBytes = 1 << 20;

// No one fixes more at once, and finding the line of each costs a pass through the file.
constexpr std::size_t kMostProblems = 20;

void make_relative_to(const std::string& folder, std::optional<std::vector<std::string>>& paths, bool programs) {
  if (!paths || folder.empty()) return;
  for (std::string& path : *paths) {
    const bool is_name = programs && path.find('/') == std::string::npos;
    if (!is_name && !path.starts_with('/')) path.insert(0, folder);
  }
}

// Other keys belong to other programs. A misspelled key of ours does not: it would silently have no effect.
constexpr std::string_view kKeys[] = {
    "answers",  "approvals",       "audit",      "cache",   "check",   "embeddings",  "flows",           "http",
    "inputs",   "limits",          "mcpServers", "notify",  "observe", "permissions", "privacy",         "python",
    "registry", "registryDigests", "remote",     "sandbox", "search",  "servers",     "shutdownGraceMs", "skills",
    "store"};

void read_member(const JsonMember& member, ConfigFile& config, std::vector<JsonProblem>& problems) {
  if (member.key == "sandbox") {
    SandboxSettings settings = read_sandbox_settings(member.value, problems);
    settings.python_blocked_imports = std::move(config.sandbox.python_blocked_imports);
    settings.python_wheels = std::move(config.sandbox.python_wheels);
    settings.python_warm = config.sandbox.python_warm;
    config.sandbox = std::move(settings);
  } else if (member.key == "python") {
    read_python_settings(member.value, config.sandbox, problems);
  } else if (member.key == "mcpServers" || member.key == "servers") {
    read_servers(member.value, member.key, config.servers, problems);
  } else if (member.key == "skills") {
    read_skills(member, config.servers, problems);
  } else if (member.key == "inputs" || read_gateway_setting(member, config.gateway, problems)) {
    // VS Code's prompts to the user. A server that refers to one reports that when it is used.
  } else if (const auto meant = nearest_word(member.key, kKeys); !meant.empty()) {
    problems.push_back({member.key_offset, "there is no key " + base::json_string(member.key) + "; did you mean \"" +
                                               std::string(meant) + "\"?"});
  }
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/') + 1);
}

}  // namespace

std::vector<ServerSpec> ConfigFile::prepared_servers(const Variables& variables) const {
  std::string folder = folder_of(path);
  if (folder.size() > 1) folder.pop_back();
  std::vector<ServerSpec> prepared;
  for (const DeclaredServer& server : servers) prepared.push_back(prepare_server(server, folder, variables));
  return prepared;
}

ConfigFile ConfigFile::without_authority() const {
  ConfigFile rest;
  rest.path = path;
  rest.stamp = stamp;
  rest.sandbox = sandbox.tighter();
  return rest;
}

std::string ConfigProblems::text() const {
  std::string all;
  for (const ConfigProblem& problem : problems) {
    if (!all.empty()) all += '\n';
    all += path + ":";
    if (problem.position) {
      all += std::to_string(problem.position->line) + ":" + std::to_string(problem.position->column) + ":";
    }
    all += " " + problem.message;
  }
  return all;
}

ConfigResult<ConfigFile> parse_config(std::string_view text, const std::string& path) {
  ConfigFile config;
  config.path = path;
  config.text = text;
  std::vector<JsonProblem> found;
  const auto root = parse_jsonc(text);
  if (!root) {
    found.push_back(root.failure());
  } else if (const auto* members = root.value().as<JsonObject>()) {
    for (const JsonMember& member : *members) read_member(member, config, found);
    config.authority = authority_of(root.value(), text, kKeys);
  } else {
    found.push_back({root.value().offset, "a config file is an object, such as {\"sandbox\": {\"timeoutMs\": 30000}}"});
  }
  if (!found.empty()) {
    ConfigProblems problems{path, {}};
    found.resize(std::min(found.size(), kMostProblems));
    for (JsonProblem& problem : found) {
      problems.problems.push_back({position_of(text, problem.offset), std::move(problem.message)});
    }
    return problems;
  }
  const std::string folder = folder_of(path);
  make_relative_to(folder, config.sandbox.allow_read, false);
  make_relative_to(folder, config.sandbox.allow_write, false);
  make_relative_to(folder, config.sandbox.allow_run, true);
  auto& wheels = config.sandbox.python_wheels;
  if (wheels && !wheels->starts_with('/')) wheels->insert(0, folder);
  std::string& registry = config.gateway.registry;
  const bool is_folder = !registry.empty() && registry.find("://") == std::string::npos;
  if (is_folder && !registry.starts_with('/')) registry.insert(0, folder);
  return config;
}

namespace {

// Links in its folder are the owner's; one at its own name may have come with a repository.
std::string in_real_folder(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == path.npos ? "." : path.substr(0, slash + 1);
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(folder.c_str(), nullptr), ::free);
  return real ? std::string(real.get()) + "/" + path.substr(slash + 1) : path;
}

// Where it is, and what it is a link to: `file` is empty where it is none, or one to nothing.
struct LinkAt {
  std::string place;
  std::string file;
  bool leads_out() const { return !file.empty() && !file.starts_with(folder_of(place)); }
};

LinkAt link_at(const std::string& path) {
  LinkAt link{in_real_folder(path), {}};
  struct stat status {};
  if (::lstat(link.place.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return link;
  const std::unique_ptr<char, decltype(&::free)> real(::realpath(link.place.c_str(), nullptr), ::free);
  if (real) link.file = real.get();
  return link;
}

// A link may have come with a repository, and lead to a file of another program of the owner's.
Result<void> write_config(const std::string& path, const std::string& text) {
  const LinkAt link = link_at(path);
  if (!link.leads_out()) return base::replace_entry(link.file.empty() ? link.place : link.file, text);
  const auto trusted = is_trusted_link(path, link.file);
  if (!trusted) return trusted.failure();
  if (trusted.value()) return base::replace_own_file(link.file, text);
  return Failure{ErrorCode::kInvalidArgument, "is a link to " + link.file +
                                                  ", and is not changed before you agree to that: run `glovebox "
                                                  "trust`, or name the file itself with --config"};
}

// The path is shown beside the message.
ConfigProblems unreadable(const std::string& path, const Failure& failure) {
  std::string message = failure.message;
  if (message.starts_with(path + ": ")) message.replace(0, path.size(), "cannot be read");
  if (message.starts_with(path + " ")) message.erase(0, path.size() + 1);
  return {path, {{std::nullopt, std::move(message)}}};
}

}  // namespace

ConfigResult<ConfigFile> read_config_file(const std::string& path) {
  // Taken before the text: if the file is written while it is read, the stamp differs, and a watcher reads it again.
  const FileStamp stamp = stamp_of(path);
  const auto text = base::read_whole_file(path, kMostConfigBytes);
  if (!text) return unreadable(path, text.failure());
  auto config = parse_config(text.value(), path);
  if (!config) return config;
  if (LinkAt link = link_at(path); link.leads_out()) config->link = std::move(link.file);
  config->stamp = stamp;
  return config;
}

ConfigResult<void> change_config_file(const std::string& path, const TextChange& change) {
  auto text = base::read_whole_file(path, kMostConfigBytes);
  if (!text && text.failure().code != ErrorCode::kNotFound) return unreadable(path, text.failure());
  const std::string before = text ? std::move(text).value() : "{}\n";
  auto known = parse_config(before, path);
  if (!known) return std::move(known).failure();
  const auto trusted = is_trusted(path, known->authority);
  const auto after = change(before);
  if (!after) return ConfigProblems{path, {{position_of(before, after.failure().offset), after.failure().message}}};
  known = parse_config(after.value(), path);
  if (!known) return std::move(known).failure();
  if (after.value() == before) return {};
  if (auto written = write_config(path, after.value()); !written)
    return ConfigProblems{path, {{std::nullopt, written.failure().message}}};
  // If this cannot be saved, the next command reports that the file is not trusted.
  if (trusted && trusted.value()) static_cast<void>(trust(path, known->authority).ok());
  return {};
}

std::span<const std::string_view> config_keys() {
  return kKeys;
}

bool config_file_is_here() {
  struct stat status {};
  return ::lstat(kConfigName, &status) == 0;
}

}  // namespace glovebox::config
