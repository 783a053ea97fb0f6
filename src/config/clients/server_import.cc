#include "config/clients/server_import.h"

#include <algorithm>
#include <optional>

#include "base/characters/ascii.h"
#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "config/clients/secret_values.h"
#include "config/clients/toml.h"
#include "config/server_settings.h"
#include "config/variables.h"

namespace glovebox::config {
namespace {

const JsonNode* find(const JsonNode& node, std::string_view key) {
  if (const auto* members = node.as<JsonObject>())
    for (const JsonMember& member : *members)
      if (member.key == key) return &member.value;
  return nullptr;
}

std::optional<std::string> text_of(const JsonNode& node) {
  if (const auto* text = node.as<std::string>()) return *text;
  return std::nullopt;
}

// GITHUB_AUTHORIZATION for the header Authorization of github.
std::string variable_name(std::string_view server, std::string_view part) {
  std::string name;
  for (const char c : std::string(server) + "_" + std::string(part)) {
    name += base::is_alnum(c) ? base::to_upper(c) : '_';
  }
  return base::is_digit(name.front()) ? "_" + name : name;
}

// One server being converted from another program's format into ours.
class Taken {
 public:
  Taken(const std::string& name, std::string_view text, std::vector<std::string>& notes) : text_(text), notes_(notes) {
    server_.name = name;
  }

  void read(const JsonObject& keys) {
    for (const JsonMember& key : keys) take(key);
    if (!server_.secrets.empty() && has_env_file_) {
      for (const auto& [name, value] : server_.secrets)
        note("the value of " + name + " is left out: add it to the server's envFile");
      server_.secrets.clear();
    } else if (!server_.secrets.empty()) {
      note("values that may be secret are kept in a file that only you can read");
    }
    base::ObjectText json;
    for (const auto& [key, value] : members_) json.json(key, value);
    server_.json = json.done();
    if (server_.json.find("${input:") != std::string::npos)
      note("${input:…} asks a person in VS Code; use a variable here");
  }
  ImportedServer take_server() { return std::move(server_); }

 private:
  void note(const std::string& what) { notes_.push_back(server_.name + ": " + what); }
  void put(const std::string& key, std::string json) { members_.emplace_back(key, std::move(json)); }

  void take(const JsonMember& key) {
    const auto is = [&](std::string_view name) { return key.key == name; };
    if (is("command") && key.value.as<JsonArray>()) return take_command_line(key.value);  // OpenCode
    if (is("command") && key.value.as<JsonObject>()) {                                    // Zed, as it was
      for (const JsonMember& part : *key.value.as<JsonObject>()) {
        if (part.key == "path") put("command", to_json(part.value, text_));
        if (part.key == "args" || part.key == "env") take(part);
      }
      return;
    }
    if (is("env") || is("environment")) return take_env(key.value);
    if (is("headers") || is("http_headers")) return take_headers(key.value);
    if (is("env_http_headers") || is("bearer_token_env_var")) return take_header_variables(key);
    if (is("args")) return take_args(key.value, 0);
    if (is("url") || is("serverUrl") || is("httpUrl")) return take_url(key);
    if (is("type") || is("transport") || is("transportType")) return take_type(key.value);
    if (is("enabled")) {
      if (const bool* enabled = key.value.as<bool>(); enabled && !*enabled) put("disabled", "true");
      return;
    }
    if (is("startup_timeout_sec") || is("tool_timeout_sec")) return take_seconds(key);
    if (is("source")) return;  // Zed: marks a custom server
    if (is("envFile")) has_env_file_ = true;
    if (is_server_key(key.key)) return put(key.key, to_json(key.value, text_));
    note("the key " + base::json_string(key.key) + " is left out");
  }

  void take_command_line(const JsonNode& words) {
    const auto& items = *words.as<JsonArray>();
    if (!items.empty()) put("command", to_json(items.front(), text_));
    if (items.size() > 1) take_args(words, 1);
  }

  void take_args(const JsonNode& node, std::size_t from) {
    const auto* items = node.as<JsonArray>();
    if (!items) return put("args", to_json(node, text_));
    base::ListText list;
    std::string before;
    for (std::size_t i = from; i < items->size(); ++i) {
      const auto text = text_of((*items)[i]);
      if (text) {
        list.text(without_secret(*text, "ARG" + std::to_string(i + 1 - from), before));
      } else {
        list.json(to_json((*items)[i], text_));
      }
      before = text.value_or("");
    }
    put("args", list.done());
  }

  // The text, with ${NAME} where its secret was.
  std::string without_secret(const std::string& text, const std::string& part, const std::string& before) {
    const SecretSpan span = find_secret(text, before);
    const std::string value = text.substr(span.offset, span.size);
    if (value.empty()) return text;
    const std::string name = variable_name(server_.name, part);
    if (!keep(name, value)) return text.substr(0, span.offset);
    return text.substr(0, span.offset) + "${" + name + "}" + text.substr(span.offset + span.size);
  }

  bool keep(const std::string& name, const std::string& value) {
    if (value.find_first_of("\r\n") != value.npos || value.find('\0') != value.npos) {
      note("the value of " + name + " has several lines, and is left out");
      return false;
    }
    server_.secrets[name] = value;
    return true;
  }

  void take_env(const JsonNode& node) {
    const auto* members = node.as<JsonObject>();
    if (!members) return put("env", to_json(node, text_));
    base::ObjectText rest;
    for (const JsonMember& member : *members) {
      const auto text = text_of(member.value);
      if (text && may_be_secret(member.key, *text)) {
        // In the environment file a name with a line break would be several.
        if (base::is_identifier(member.key)) {
          keep(member.key, *text);
        } else {
          note("the variable " + base::json_string(member.key) + " is left out: a variable cannot have that name");
        }
      } else {
        rest.json(member.key, to_json(member.value, text_));
      }
    }
    if (!rest.empty()) put("env", rest.done());
  }

  void take_headers(const JsonNode& node) {
    const auto* members = node.as<JsonObject>();
    if (!members) return put("headers", to_json(node, text_));
    for (const JsonMember& member : *members) {
      const auto text = text_of(member.value);
      const std::string name = variable_name(server_.name, member.key);
      const bool secret = text && may_be_secret(member.key, *text);
      if (secret && !keep(name, *text)) continue;
      add_header(member.key, secret ? base::json_string("${" + name + "}") : to_json(member.value, text_));
    }
  }

  // Codex: the names of variables that hold a header's value.
  void take_header_variables(const JsonMember& key) {
    if (const auto name = text_of(key.value)) add_header("Authorization", base::json_string("Bearer ${" + *name + "}"));
    if (const auto* members = key.value.as<JsonObject>())
      for (const JsonMember& member : *members)
        if (const auto name = text_of(member.value)) add_header(member.key, base::json_string("${" + *name + "}"));
  }

  void add_header(const std::string& name, const std::string& json) {
    auto headers =
        std::find_if(members_.begin(), members_.end(), [](const auto& one) { return one.first == "headers"; });
    if (headers == members_.end()) headers = members_.insert(members_.end(), {"headers", "{}"});
    headers->second = base::ObjectText().members(headers->second).json(name, json).done();
  }

  void take_url(const JsonMember& key) {
    const auto text = text_of(key.value);
    put(key.key, text ? base::json_string(without_secret(*text, "URL", "")) : to_json(key.value, text_));
  }

  void take_type(const JsonNode& node) {
    const std::string type = text_of(node).value_or("");
    if (type == "sse") {
      put("type", "\"sse\"");
      put("disabled", "true");
      note(
          "uses the transport \"sse\" of 2024, which is not supported, and is turned off; most servers now offer "
          "\"http\" at an address that ends in /mcp");
    } else if (type == "http" || type == "remote" || type == "streamable-http" || type == "streamableHttp") {
      put("type", "\"http\"");
    }
  }

  void take_seconds(const JsonMember& key) {
    const auto* whole = key.value.as<std::int64_t>();
    const auto* part = key.value.as<double>();
    if (!whole && !part) return;
    const double seconds = whole ? static_cast<double>(*whole) : *part;
    if (seconds < 0.001 || seconds > 1e9) return;
    put(key.key == "startup_timeout_sec" ? "startTimeoutMs" : "callTimeoutMs",
        std::to_string(static_cast<std::int64_t>(seconds * 1000)));
  }

  std::string_view text_;
  std::vector<std::string>& notes_;
  ImportedServer server_;
  std::vector<std::pair<std::string, std::string>> members_;
  bool has_env_file_ = false;
};

bool names_glovebox(std::string_view word) {
  word.remove_prefix(word.rfind('/') + 1);
  return word == "glovebox" || word.starts_with("glovebox@");
}

// Glovebox itself, as a client has it configured: the program, or what leads to it, such as `npx -y glovebox serve`.
bool is_glovebox(const JsonNode& server) {
  std::vector<std::string> words;
  for (const char* key : {"command", "args"}) {
    const JsonNode* value = find(server, key);
    const auto* list = value ? value->as<JsonArray>() : nullptr;
    if (value && !list) words.push_back(text_of(*value).value_or(""));
    if (list)
      for (const JsonNode& item : *list) words.push_back(text_of(item).value_or(""));
  }
  if (!words.empty() && names_glovebox(words.front())) return true;
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    if (names_glovebox(words[i]) && words[i + 1] == "serve") return true;
  return false;
}

void read(const JsonNode& servers, std::string_view text, ServerImport& import) {
  const auto* members = servers.as<JsonObject>();
  if (!members) return;
  for (const JsonMember& member : *members) {
    const auto* keys = member.value.as<JsonObject>();
    if (!keys) {
      import.notes.push_back(member.key + ": is not an object and was left out");
      continue;
    }
    if (is_glovebox(member.value)) continue;
    Taken taken(member.key, text, import.notes);
    taken.read(*keys);
    import.servers.push_back(taken.take_server());
  }
}

// Claude Code: {"projects": {"/home/ada/shop": {"mcpServers": {…}}}}.
bool read_projects(const JsonNode& root, std::string_view text, const std::string& project, ServerImport& import) {
  const JsonNode* projects = find(root, "projects");
  const auto* members = projects ? projects->as<JsonObject>() : nullptr;
  if (!members) return false;
  std::size_t others = 0;
  for (const JsonMember& member : *members) {
    const JsonNode* servers = find(member.value, "mcpServers");
    const auto* those = servers ? servers->as<JsonObject>() : nullptr;
    if (!those || those->empty()) continue;
    if (member.key == project) {
      read(*servers, text, import);
    } else {
      others += those->size();
    }
  }
  if (others > 0) {
    import.notes.push_back(std::to_string(others) + (others == 1 ? " server" : " servers") +
                           " of other projects left out; import them in the folders that they are for");
  }
  return true;
}

}  // namespace

Result<ServerImport, JsonProblem> servers_to_import(std::string_view text, const std::string& path,
                                                    const std::string& project) {
  std::string converted;
  if (path.ends_with(".toml")) {
    auto json = toml_to_json(text);
    if (!json) return json.failure();
    converted = std::move(json).value();
    text = converted;
  }
  const auto root = parse_jsonc(text);
  if (!root) return root.failure();
  ServerImport import;
  bool any = false;
  const JsonNode* settings = find(*root, "mcp");
  const JsonNode* of_settings = settings ? find(*settings, "servers") : nullptr;
  // OpenCode's servers are directly in "mcp".
  for (const JsonNode* servers : {find(*root, "mcpServers"), find(*root, "servers"), find(*root, "context_servers"),
                                  find(*root, "mcp_servers"), of_settings ? of_settings : settings}) {
    if (!servers) continue;
    any = true;
    read(*servers, text, import);
  }
  any = read_projects(*root, text, project, import) || any;
  if (!any)
    return JsonProblem{root->offset,
                       "there are no servers in it: no mcpServers, servers, mcp.servers, context_servers or mcp"};
  return import;
}

}  // namespace glovebox::config
