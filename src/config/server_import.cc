#include "config/server_import.h"

#include <algorithm>

#include "base/json_text.h"
#include "config/server_settings.h"

namespace glovebox::config {
namespace {

const JsonNode* find(const JsonNode& node, std::string_view key) {
  if (const auto* members = node.as<JsonObject>())
    for (const JsonMember& member : *members)
      if (member.key == key) return &member.value;
  return nullptr;
}

bool sounds_secret(std::string name) {
  std::transform(name.begin(), name.end(), name.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; });
  for (const char* part : {"TOKEN", "SECRET", "PASSWORD", "KEY", "AUTHORIZATION", "CREDENTIAL"})
    if (name.find(part) != name.npos) return true;
  return false;
}

void note_secrets(const std::string& server, const JsonMember& part, std::vector<std::string>& notes) {
  const auto* members = part.value.as<JsonObject>();
  if (!members || (part.key != "env" && part.key != "headers")) return;
  for (const JsonMember& member : *members) {
    const auto* text = member.value.as<std::string>();
    if (text && !text->empty() && text->find("${") == text->npos && sounds_secret(member.key))
      notes.push_back(server + ": " + part.key + "." + member.key +
                      " looks like a secret in plain text; set a variable, and write \"${" + "VARIABLE" + "}\"");
  }
}

void read(const JsonNode& servers, std::string_view text, ServerImport& import) {
  const auto* members = servers.as<JsonObject>();
  if (!members) return;
  for (const JsonMember& member : *members) {
    const auto* keys = member.value.as<JsonObject>();
    if (!keys) {
      import.notes.push_back(member.key + ": is not an object, and is left out");
      continue;
    }
    std::string json = "{";
    for (const JsonMember& key : *keys) {
      if (!is_server_key(key.key)) {
        import.notes.push_back(member.key + ": the key " + base::json_string(key.key) + " is left out");
        continue;
      }
      note_secrets(member.key, key, import.notes);
      json += (json.size() > 1 ? "," : "") + base::json_string(key.key) + ":" + to_json(key.value, text);
    }
    if (json.find("${input:") != json.npos)
      import.notes.push_back(member.key + ": ${input:…} asks a person in VS Code; here it must become a variable");
    import.servers.push_back({member.key, json + "}"});
  }
}

}  // namespace

Result<ServerImport, JsonProblem> servers_to_import(std::string_view text) {
  const auto root = parse_jsonc(text);
  if (!root) return root.failure();
  ServerImport import;
  bool any = false;
  const JsonNode* settings = find(*root, "mcp");
  for (const JsonNode* servers :
       {find(*root, "mcpServers"), find(*root, "servers"), settings ? find(*settings, "servers") : nullptr}) {
    if (!servers) continue;
    any = true;
    read(*servers, text, import);
  }
  if (!any) return JsonProblem{root->offset, "there are no servers in it: no mcpServers, servers or mcp.servers"};
  return import;
}

}  // namespace glovebox::config
