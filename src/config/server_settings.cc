#include "config/server_settings.h"

#include <algorithm>
#include <functional>

#include "base/characters/ascii.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "base/whole_file.h"
#include "config/schema/setting_schemas.h"
#include "config/server_name.h"
#include "config/skill_settings.h"
#include "config/value_reader.h"

namespace glovebox::config {
namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMostEnvFileBytes = 1 << 20;

// Keys of other programs' files, which mean nothing here: approvals are the policy's task.
constexpr std::string_view kForeignKeys[] = {"alwaysAllow",   "autoApprove",   "autoapprove",  "description",
                                             "dev",           "disabledTools", "enabledTools", "gallery",
                                             "icon",          "metadata",      "name",         "timeout",
                                             "transportType", "trust",         "version"};

// One key of a server.
using ReadServerKey = std::function<void(DeclaredServer&, const JsonNode&, ValueReader&)>;

ReadServerKey spec_text_into(std::string ServerSpec::*field, const char* example) {
  return [=](DeclaredServer& server, const JsonNode& node, ValueReader& reader) {
    if (auto text = reader.text(node, example)) server.spec.*field = std::move(*text);
  };
}

template <typename Field>
ReadServerKey spec_duration_into(Field ServerSpec::*field, std::int64_t least) {
  return [=](DeclaredServer& server, const JsonNode& node, ValueReader& reader) {
    if (const auto number = reader.number(node, kMostMilliseconds, "30000", least))
      server.spec.*field = milliseconds(*number);
  };
}

ReadServerKey truth_into(bool ServerSpec::*field) {
  return [=](DeclaredServer& server, const JsonNode& node, ValueReader& reader) {
    if (const auto truth = reader.truth(node)) server.spec.*field = *truth;
  };
}

void read_env(DeclaredServer& server, const JsonNode& node, ValueReader& reader) {
  auto env = reader.texts_by_name(node, R"({"TOKEN": "${TOKEN}"})");
  if (!env) return;
  for (const JsonMember& member : *node.as<JsonObject>()) {
    if (!base::is_identifier(member.key))
      reader.refuse(member.key_offset,
                    "has " + base::json_string(member.key) + ", which is not the name of a variable");
  }
  server.spec.env = std::move(*env);
}

void read_headers(DeclaredServer& server, const JsonNode& node, ValueReader& reader) {
  const auto headers = reader.texts_by_name(node, R"({"Authorization": "Bearer ${TOKEN}"})");
  if (!headers) return;
  for (const JsonMember& member : *node.as<JsonObject>()) {
    if (!base::is_http_token(member.key))
      reader.refuse(member.key_offset, "has " + base::json_string(member.key) + ", which is not the name of a header");
  }
  for (const auto& [name, value] : *headers) server.spec.headers.emplace_back(name, value);
}

void read_server_oauth(DeclaredServer& server, const JsonNode& node, ValueReader& reader) {
  constexpr const char* kExample =
      R"({"clientId": "...", "clientSecret": "${SECRET}", "issuer": "https://login.example.com"})";
  const JsonObject* members = reader.object(node, kExample);
  if (!members) return;
  OAuthSpec oauth;
  for (const JsonMember& member : *members) {
    if (member.key == "forItself") {
      if (const auto truth = reader.truth(member.value)) oauth.for_itself = *truth;
      continue;
    }
    std::string* field = member.key == "clientId"       ? &oauth.client_id
                         : member.key == "clientSecret" ? &oauth.client_secret
                         : member.key == "issuer"       ? &oauth.issuer
                                                        : nullptr;
    if (!field) {
      reader.refuse(member.key_offset, "knows clientId, clientSecret, issuer and forItself");
    } else if (auto text = reader.text(member.value, kExample)) {
      *field = std::move(*text);
    }
  }
  // The server names its authorization server. A secret is sent only to the one that the owner has named.
  if (!oauth.client_secret.empty() && oauth.issuer.empty()) {
    reader.refuse(node.offset,
                  "has a clientSecret but no issuer: add the address of the authorization server that the secret is "
                  "for, such as \"issuer\": \"https://login.example.com\"");
  }
  server.spec.oauth = std::move(oauth);
}

// As clients spell them; what decides is how the server is reached.
void read_type(DeclaredServer& server, const JsonNode& node, ValueReader& reader) {
  const auto word = reader.word(node, {"stdio", "http", "streamable-http", "streamableHttp", "local", "sse"});
  if (word && *word == "sse") {
    server.spec.problem =
        "the transport \"sse\" of 2024 is not supported; most servers now offer \"http\" at an address that ends in "
        "/mcp";
  }
}

const std::map<std::string, ReadServerKey, std::less<>>& server_readers() {
  static const std::map<std::string, ReadServerKey, std::less<>> table = {
      {"type", read_type},
      {"command", spec_text_into(&ServerSpec::command, "\"npx\"")},
      {"args",
       [](DeclaredServer& server, const JsonNode& node, ValueReader& reader) {
         if (auto args = reader.list(node, R"(["-y", "some-server"])", true)) server.spec.args = std::move(*args);
       }},
      {"env", read_env},
      {"envFile",
       [](DeclaredServer& server, const JsonNode& node, ValueReader& reader) {
         if (auto text = reader.text(node, "\"./.env\"")) server.env_file = std::move(*text);
       }},
      {"cwd", spec_text_into(&ServerSpec::cwd, "\"./tools\"")},
      {"url", spec_text_into(&ServerSpec::url, "\"https://example.com/mcp\"")},
      // As other clients spell it.
      {"serverUrl", spec_text_into(&ServerSpec::url, "\"https://example.com/mcp\"")},
      {"httpUrl", spec_text_into(&ServerSpec::url, "\"https://example.com/mcp\"")},
      {"headers", read_headers},
      {"oauth", read_server_oauth},
      {"disabled", truth_into(&ServerSpec::disabled)},
      {"restart", truth_into(&ServerSpec::restart)},
      {"startTimeoutMs", spec_duration_into(&ServerSpec::start_timeout, 1)},
      {"callTimeoutMs", spec_duration_into(&ServerSpec::call_timeout, 1)},
      {"idleTimeoutMs", spec_duration_into(&ServerSpec::idle_timeout, 0)},
  };
  return table;
}

void read_server(const JsonMember& member, const std::string& path, DeclaredServer& server,
                 std::vector<JsonProblem>& problems) {
  ValueReader whole(path, problems);
  const JsonObject* keys = whole.object(member.value, R"({"command": "npx", "args": ["-y", "some-server"]})");
  if (!keys) return;
  for (const JsonMember& key : *keys) {
    if (read_server_key(key, path, server, problems)) continue;
    if (std::find(std::begin(kForeignKeys), std::end(kForeignKeys), key.key) == std::end(kForeignKeys)) {
      std::vector<std::string_view> known;
      for (const auto& [name, read] : server_readers()) known.push_back(name);
      problems.push_back(unknown_key(path, key, known));
    }
  }
  const bool both = !server.spec.command.empty() && !server.spec.url.empty();
  const bool neither = server.spec.command.empty() && server.spec.url.empty();
  const bool is_given = std::any_of(keys->begin(), keys->end(), [](const JsonMember& key) {
    return key.key == "command" || key.key == "url" || key.key == "serverUrl" || key.key == "httpUrl";
  });
  if (both) whole.refuse(member.value.offset, "has a command and a url; give only one of them");
  if (neither && !is_given) whole.refuse(member.value.offset, "needs a command or a url");
}

// Expands variables, and keeps the first problem.
class Expander {
 public:
  Expander(ServerSpec& spec, const Variables& variables) : spec_(spec), variables_(variables) {}

  void operator()(std::string& text) {
    auto expanded = expand_variables(text, variables_);
    if (expanded) {
      text = std::move(expanded).value();
    } else {
      problem(expanded.failure().message);
    }
    if (text.find('\0') != text.npos) problem("a string contains a zero byte");
  }
  void problem(std::string message) {
    if (spec_.problem.empty()) spec_.problem = std::move(message);
  }

 private:
  ServerSpec& spec_;
  const Variables& variables_;
};

}  // namespace

bool is_server_key(std::string_view key) {
  return server_readers().find(key) != server_readers().end();
}

bool read_server_key(const JsonMember& key, const std::string& path, DeclaredServer& server,
                     std::vector<JsonProblem>& problems) {
  const auto found = server_readers().find(key.key);
  if (found == server_readers().end()) return false;
  ValueReader reader(path + "." + key.key, problems);
  found->second(server, key.value, reader);
  return true;
}

SchemaObject server_schema() {
  SchemaObject schema = schema_of(server_readers(), DeclaredServer());
  for (const std::string_view key : kForeignKeys) schema.add(std::string(key), std::string("true"));
  return schema;
}

void read_servers(const JsonNode& node, const std::string& key, std::vector<DeclaredServer>& servers,
                  std::vector<JsonProblem>& problems) {
  ValueReader all(key, problems);
  const JsonObject* members = all.object(node, R"({"files": {"command": "npx", "args": ["-y", "some-server"]}})");
  if (!members) return;
  for (const JsonMember& member : *members) {
    DeclaredServer server;
    auto name = server_name_for(member.key);
    if (!name) {
      problems.push_back(
          {member.key_offset, key + " has " + base::json_string(member.key) + ": " + name.failure().message});
      continue;
    }
    server.spec.name = *name;
    if (*name != member.key) server.spec.declared = member.key;
    const auto known = std::find_if(servers.begin(), servers.end(),
                                    [&](const DeclaredServer& other) { return other.spec.name == server.spec.name; });
    if (known != servers.end()) {
      problems.push_back({member.key_offset, key + " has " + base::json_string(member.key) + ", but the name " + *name +
                                                 " is taken by another server"});
      continue;
    }
    read_server(member, key + "." + *name, server, problems);
    servers.push_back(std::move(server));
  }
}

ServerSpec prepare_server(const DeclaredServer& declared, const std::string& folder, const Variables& variables) {
  ServerSpec spec = declared.spec;
  std::map<std::string, std::string, std::less<>> in_file;
  const Variables known = [&](std::string_view name) -> std::optional<std::string> {
    if (name == "workspaceFolder") return folder.empty() ? "." : folder;
    if (const auto found = in_file.find(name); found != in_file.end()) return found->second;
    return variables(name);
  };
  Expander expand(spec, known);
  const auto beneath_folder = [&](std::string& path) {
    if (!path.empty() && path.front() != '/' && !folder.empty()) path = folder + "/" + path;
  };
  std::string env_file = declared.env_file;
  expand(env_file);
  if (!env_file.empty() && spec.problem.empty()) {
    beneath_folder(env_file);
    const auto text = base::read_whole_file(env_file, kMostEnvFileBytes);
    auto lines = text ? parse_env_file(text.value()) : text.failure();
    if (lines) {
      for (auto& [name, value] : *lines) spec.env.try_emplace(name, value);
      in_file.insert(lines->begin(), lines->end());
    } else {
      expand.problem("the envFile: " + lines.failure().message);
    }
  }
  expand(spec.command);
  for (std::string& argument : spec.args) expand(argument);
  // Values from the env file are not expanded.
  for (auto& [name, value] : spec.env)
    if (declared.spec.env.contains(name)) expand(value);
  expand(spec.cwd);
  expand(spec.url);
  for (auto& [name, value] : spec.headers) {
    expand(value);
    if (value.find_first_of("\r\n") != value.npos)
      expand.problem("the header field " + name + " contains a line break");
  }
  if (spec.oauth) {
    expand(spec.oauth->client_id);
    expand(spec.oauth->client_secret);
    expand(spec.oauth->issuer);
  }
  beneath_folder(spec.cwd);
  if (spec.command.find('/') != spec.command.npos) beneath_folder(spec.command);
  if (spec.classes) {
    std::string skills = spec.args.front();
    beneath_folder(skills);
    spec.args = skill_host_arguments(std::move(skills));
  }
  return spec;
}

}  // namespace glovebox::config
