#include "config/clients/client_forms.h"

#include <stdlib.h>
#include <sys/stat.h>

#include "base/text/json_text.h"
#include "base/try.h"
#include "config/clients/secret_values.h"
#include "config/clients/toml.h"
#include "config/jsonc_edit.h"

namespace glovebox::config {
namespace {

using Style = ClientForm::Style;

constexpr ClientForm kForms[] = {
    {"claude-code", "Claude Code", "~/.claude.json", ".mcp.json", "mcpServers"},
    {"codex", "Codex", "$CODEX_HOME/config.toml", "", "mcp_servers", Style::kToml},
    {"gemini", "Gemini CLI", "~/.gemini/settings.json", ".gemini/settings.json", "mcpServers"},
    {"cursor", "Cursor", "~/.cursor/mcp.json", ".cursor/mcp.json", "mcpServers", Style::kPlain, true},
    {"vscode", "VS Code", "$XDG_CONFIG_HOME/Code/User/mcp.json", ".vscode/mcp.json", "servers", Style::kTyped, true,
     "$XDG_CONFIG_HOME/Code/User/settings.json"},
    {"zed", "Zed", "$XDG_CONFIG_HOME/zed/settings.json", ".zed/settings.json", "context_servers"},
    {"opencode", "OpenCode", "$XDG_CONFIG_HOME/opencode/opencode.json", "opencode.json", "mcp", Style::kOpenCode, false,
     "$XDG_CONFIG_HOME/opencode/opencode.jsonc"},
    {"claude-desktop", "Claude Desktop", "$XDG_CONFIG_HOME/Claude/claude_desktop_config.json", "", "mcpServers"},
};

struct Base {
  std::string_view prefix;
  const char* variable;  // instead of the folder
  std::string_view beneath_home;
};
constexpr Base kBases[] = {
    {"~", nullptr, ""},
    {"$XDG_CONFIG_HOME", "XDG_CONFIG_HOME", "/.config"},
    {"$CODEX_HOME", "CODEX_HOME", "/.codex"},
};

bool is_file(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

std::string json_array(const std::vector<std::string>& words, std::size_t from) {
  std::string list;
  for (std::size_t i = from; i < words.size(); ++i) list += (list.empty() ? "" : ", ") + base::json_string(words[i]);
  return "[" + list + "]";
}

std::string entry_of(const ClientForm& client, const std::vector<std::string>& command) {
  if (client.style == Style::kOpenCode)
    return R"({"type": "local", "command": )" + json_array(command, 0) + R"(, "enabled": true})";
  const std::string type = client.style == Style::kTyped ? R"("type": "stdio", )" : "";
  return "{" + type + "\"command\": " + base::json_string(command.front()) + ", \"args\": " + json_array(command, 1) +
         "}";
}

// JSON's texts and lists are valid TOML as well.
std::string toml_entry(const ClientForm& client, const std::vector<std::string>& command) {
  return "[" + std::string(client.servers) + "." + kEntryName + "]\ncommand = " + base::json_string(command.front()) +
         "\nargs = " + json_array(command, 1) + "\n";
}

Result<std::string, JsonProblem> with_glovebox_in_toml(const ClientForm& client, std::string_view text,
                                                       const std::vector<std::string>& command,
                                                       const std::vector<std::string>& without) {
  std::string changed(text);
  for (const std::string& name : without)
    changed = GLOVEBOX_TRY(without_toml_table(changed, {std::string(client.servers), name}));
  const std::string entry = toml_entry(client, command);
  if (changed.find(entry) != changed.npos) return changed;
  changed = GLOVEBOX_TRY(without_toml_table(changed, {std::string(client.servers), kEntryName}));
  if (!changed.empty() && !changed.ends_with('\n')) changed += '\n';
  changed += (changed.empty() || changed.ends_with("\n\n") ? "" : "\n") + entry;
  // The result must be valid TOML.
  if (const auto read = toml_to_json(changed); !read) return read.failure();
  return changed;
}

// Hides the value of `key = value`; lines that continue a longer value are hidden as well.
std::string toml_without_values(const ClientForm& client, std::string_view text) {
  std::string out;
  bool ours = false;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end);
    const std::size_t equals = line.find('=');
    const std::string of_servers = "[" + std::string(client.servers) + ".";
    if (line.starts_with('[')) ours = line.starts_with(of_servers + kEntryName);
    const bool is_program = line.starts_with("command =") && find_secret(line).size == 0;
    const bool shown = ours || line.starts_with(of_servers) || is_program || line == "\n";
    out +=
        shown ? std::string(line) : (equals == line.npos ? "" : std::string(line.substr(0, equals + 1)) + " ") + "…\n";
  }
  return out;
}

void hide_values(const JsonNode& node, std::string_view key, std::vector<const JsonNode*>& hidden) {
  if (const auto* members = node.as<JsonObject>()) {
    for (const JsonMember& member : *members)
      if (member.key != kEntryName) hide_values(member.value, member.key, hidden);
  } else if (const auto* items = node.as<JsonArray>()) {
    for (const JsonNode& item : *items) hide_values(item, "", hidden);
  } else if (const auto* text = node.as<std::string>()) {
    const bool shown = (key == "command" || key == "type") && find_secret(*text).size == 0;
    if (!shown) hidden.push_back(&node);
  }
}

}  // namespace

std::span<const ClientForm> client_forms() {
  return kForms;
}

const ClientForm* find_client(std::string_view name) {
  for (const ClientForm& form : kForms)
    if (form.name == name) return &form;
  return nullptr;
}

std::optional<std::string> user_path(std::string_view file) {
  const char* home = ::getenv("HOME");
  for (const Base& base : kBases) {
    if (!file.starts_with(base.prefix)) continue;
    const std::string rest(file.substr(base.prefix.size()));
    const char* named = base.variable ? ::getenv(base.variable) : nullptr;
    if (named && *named == '/') return named + rest;
    if (home && *home == '/') return home + std::string(base.beneath_home) + rest;
  }
  return std::nullopt;
}

std::vector<ClientFile> find_client_files(const std::string& workspace) {
  std::vector<ClientFile> found;
  for (const ClientForm& form : kForms) {
    for (const std::string_view file : {form.user_file, form.also_reads}) {
      const auto path = file.empty() ? std::nullopt : user_path(file);
      if (path && is_file(*path)) found.push_back({&form, *path, false});
    }
    const std::string path = workspace + "/" + std::string(form.project_file);
    if (!form.project_file.empty() && is_file(path)) found.push_back({&form, path, true});
  }
  return found;
}

Result<std::string, JsonProblem> with_glovebox(const ClientForm& client, std::string_view text,
                                               const std::vector<std::string>& command,
                                               const std::vector<std::string>& without) {
  if (client.style == Style::kToml) return with_glovebox_in_toml(client, text, command, without);
  std::string changed(text);
  const std::string servers(client.servers);
  for (const std::string& name : without) changed = GLOVEBOX_TRY(remove_member(changed, {servers, name}));
  return set_member(changed, {servers, kEntryName}, entry_of(client, command));
}

std::string without_private_values(const ClientForm& client, std::string_view text) {
  if (client.style == Style::kToml) return toml_without_values(client, text);
  const auto root = parse_jsonc(text);
  if (!root) return text.empty() ? "" : "…\n";
  std::vector<const JsonNode*> hidden;
  hide_values(*root, "", hidden);
  std::string shown(text);
  for (std::size_t i = hidden.size(); i-- > 0;)
    shown.replace(hidden[i]->offset, hidden[i]->end - hidden[i]->offset, "\"…\"");
  return shown;
}

}  // namespace glovebox::config
