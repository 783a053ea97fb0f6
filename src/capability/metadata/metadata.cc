#include "capability/metadata/metadata.h"

#include <algorithm>
#include <set>

#include "base/characters/ascii.h"
#include "base/text/json_text.h"
#include "base/try.h"
#include "capability/limits.h"
#include "catalog/plain_text.h"
#include "config/server_name.h"
#include "config/variables.h"
#include "mcp/json/base64.h"
#include "mcp/json/json_tree.h"
#include "mcp/json/schema.h"
#include "policy/tool_rules.h"

namespace glovebox::capability {
namespace {

namespace json = boost::json;

Failure wrong(const std::string& what) {
  return {ErrorCode::kProtocol, "the metadata " + what};
}

std::string shown(std::string_view text) {
  return base::json_string(catalog::plain_text(text, 100));
}

// A text that a person will be shown as one line.
bool is_plain_line(std::string_view text) {
  return text.size() <= kMostTextBytes &&
         std::none_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

// A member that may be missing, but not of another type.
Result<std::string> text_member(const json::object& from, const char* key, std::size_t most) {
  const json::value* value = mcp::member(from, key);
  if (!value || value->is_null()) return std::string();
  if (!value->is_string()) return wrong(std::string("has a ") + key + " that is not a string");
  std::string text(value->get_string().data(), value->get_string().size());
  if (text.size() > most) return wrong(std::string("has a ") + key + " that is too long");
  return text;
}

Result<std::vector<std::string>> list_member(const json::object& from, const char* key, std::size_t most) {
  std::vector<std::string> list;
  const json::value* value = mcp::member(from, key);
  if (!value || value->is_null()) return list;
  if (!value->is_array()) return wrong(std::string("has ") + key + " that is not a list");
  if (value->get_array().size() > most) return wrong(std::string("has too many ") + key);
  for (const json::value& item : value->get_array()) {
    if (!item.is_string()) return wrong(std::string("has something in ") + key + " that is not a string");
    list.emplace_back(item.get_string().data(), item.get_string().size());
    if (!is_plain_line(list.back())) return wrong(std::string("has a text in ") + key + " that cannot be used");
  }
  return list;
}

Result<std::vector<std::string>> variables_member(const json::object& from, const char* key) {
  auto names = GLOVEBOX_TRY(list_member(from, key, kMostVariables));
  for (const std::string& name : names)
    if (!base::is_identifier(name)) return wrong("names a variable " + shown(name) + " that is not possible");
  return names;
}

Result<Dependency> read_dependency(const json::value& value) {
  const json::object* from = value.if_object();
  if (!from) return wrong("has a dependency that is not an object");
  Dependency dependency;
  dependency.name = GLOVEBOX_TRY(text_member(*from, "name", kMostTextBytes));
  const auto name = config::server_name_for(dependency.name);
  if (!name || *name != dependency.name)
    return wrong("has a dependency " + shown(dependency.name) + ", which is not a name");
  const std::string type = GLOVEBOX_TRY(text_member(*from, "type", kMostTextBytes));
  if (type != "stdio" && type != "http")
    return wrong("has a dependency " + dependency.name + " of an unknown type " + shown(type));
  dependency.type = type == "http" ? Dependency::Type::kHttp : Dependency::Type::kStdio;
  dependency.command = GLOVEBOX_TRY(text_member(*from, "command", kMostTextBytes));
  dependency.args = GLOVEBOX_TRY(list_member(*from, "args", kMostArguments));
  dependency.url = GLOVEBOX_TRY(text_member(*from, "url", kMostTextBytes));
  dependency.env_required = GLOVEBOX_TRY(variables_member(*from, "envRequired"));
  dependency.version = GLOVEBOX_TRY(text_member(*from, "version", 64));
  const bool is_http = dependency.type == Dependency::Type::kHttp;
  const bool has_url = dependency.url.starts_with("https://") || dependency.url.starts_with("http://");
  if (is_http ? !has_url || !dependency.command.empty() || !dependency.args.empty()
              : dependency.command.empty() || !dependency.url.empty())
    return wrong("has a dependency " + dependency.name + (is_http ? " without an address" : " without a command"));
  if (is_http && !dependency.env_required.empty())
    return wrong("has a dependency " + dependency.name + " that speaks HTTP and asks for variables");
  if (!is_plain_line(dependency.command) || !is_plain_line(dependency.url) || !is_plain_line(dependency.version))
    return wrong("has a dependency " + dependency.name + " with a text that cannot be used");
  const std::string declared = GLOVEBOX_TRY(text_member(*from, "integrity", kMostTextBytes));
  if (declared.starts_with("sha512-")) {
    const auto digest = mcp::from_base64(std::string_view(declared).substr(7));
    if (is_http || !digest || digest->size() != 64)
      return wrong("has a dependency " + dependency.name + " with an integrity that cannot be verified");
    dependency.package_integrity = declared;
    return dependency;
  }
  if (!declared.empty() && GLOVEBOX_TRY(Integrity::parse(declared)) != dependency.integrity())
    return wrong("has a dependency " + dependency.name + " with the integrity of something else");
  return dependency;
}

Result<std::vector<Dependency>> read_dependencies(const json::object& from) {
  std::vector<Dependency> all;
  const json::value* value = mcp::member(from, "mcp_deps");
  if (!value || value->is_null()) return all;
  if (!value->is_array()) return wrong("has mcp_deps that are not a list");
  if (value->get_array().size() > kMostDependencies) return wrong("has too many dependencies");
  std::set<std::string> names;
  for (const json::value& item : value->get_array()) {
    all.push_back(GLOVEBOX_TRY(read_dependency(item)));
    if (!names.insert(all.back().name).second) return wrong("has the dependency " + all.back().name + " twice");
  }
  return all;
}

// Each means one tool: the extent of a wildcard cannot be seen.
Result<std::vector<std::string>> read_tools(const json::object& from) {
  auto tools = GLOVEBOX_TRY(list_member(from, "tools_used", kMostTools));
  for (const std::string& tool : tools) {
    const std::size_t colon = tool.find(':');
    const auto pattern = colon == tool.npos ? Result<std::string>(wrong(""))
                                            : policy::pattern_of(tool.substr(0, colon), tool.substr(colon + 1));
    if (!pattern || *pattern != tool)
      return wrong("uses a tool " + shown(tool) + " that is not of the form server:tool");
  }
  std::sort(tools.begin(), tools.end());
  tools.erase(std::unique(tools.begin(), tools.end()), tools.end());
  return tools;
}

// A capability without code is one tool of its dependency, and nothing else.
Result<void> check_plain_call(Metadata& metadata) {
  const auto type = metadata.type == Metadata::Type::kHttp ? Dependency::Type::kHttp : Dependency::Type::kStdio;
  if (metadata.dependencies.size() != 1 || metadata.dependencies.front().type != type)
    return wrong("is of the type " + std::string(name_of(metadata.type)) + " and needs one dependency of that type");
  const std::string tool = metadata.dependencies.front().name + ":" + metadata.fqdn.action;
  if (metadata.tools.empty()) metadata.tools = {tool};
  if (metadata.tools != std::vector<std::string>{tool}) return wrong("uses other tools than " + tool);
  if (metadata.integrity != metadata.dependencies.front().integrity())
    return wrong("has an integrity that is not that of its dependency");
  return {};
}

json::array array_of(const std::vector<std::string>& texts) {
  json::array list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

json::object object_of(const Dependency& dependency) {
  json::object object{{"name", dependency.name},
                      {"type", std::string(name_of(dependency.type))},
                      {"envRequired", array_of(dependency.env_required)},
                      {"version", dependency.version}};
  if (!dependency.package_integrity.empty()) object["integrity"] = dependency.package_integrity;
  if (dependency.type == Dependency::Type::kHttp) {
    object["url"] = dependency.url;
  } else {
    object["command"] = dependency.command;
    object["args"] = array_of(dependency.args);
  }
  return object;
}

}  // namespace

std::string_view name_of(Metadata::Type type) {
  return type == Metadata::Type::kDeno ? "deno" : type == Metadata::Type::kStdio ? "stdio" : "http";
}
std::string_view name_of(Metadata::Routing routing) {
  return routing == Metadata::Routing::kServer ? "server" : "client";
}
std::string_view name_of(Dependency::Type type) {
  return type == Dependency::Type::kHttp ? "http" : "stdio";
}

Integrity Dependency::integrity() const {
  return Integrity::of(mcp::sorted_json(object_of(*this)));
}

std::string Dependency::launch() const {
  if (type == Type::kHttp) return url;
  std::string words = command;
  for (const std::string& argument : args) {
    const bool plain = !argument.empty() && argument.find_first_of(" '\"\\$`|&;<>()*?#~!{}[]") == argument.npos;
    words += " ";
    if (plain) {
      words += argument;
      continue;
    }
    words += '\'';
    for (const char c : argument) words += c == '\'' ? std::string("'\\''") : std::string(1, c);
    words += '\'';
  }
  return words;
}

std::string Metadata::canonical() const {
  json::array needs;
  for (const Dependency& dependency : dependencies) needs.emplace_back(object_of(dependency));
  json::object object{{"fqdn", fqdn.text()},
                      {"type", std::string(name_of(type))},
                      {"description", description},
                      {"integrity", integrity.text()},
                      {"inputSchema", mcp::parse_tree(input_schema).value()},
                      {"mcp_deps", std::move(needs)},
                      {"tools_used", array_of(tools)},
                      {"routing", std::string(name_of(routing))},
                      {"env", array_of(env)}};
  return mcp::sorted_json(object);
}

Result<FetchedMetadata> read_metadata(std::string_view text) {
  if (text.size() > kMostMetadataBytes) return wrong("is too large");
  const auto parsed = mcp::parse_object(text);
  if (!parsed) return wrong("cannot be read: " + parsed.failure().message);
  const json::object& from = *parsed;
  FetchedMetadata fetched;
  Metadata& metadata = fetched.metadata;
  metadata.fqdn = GLOVEBOX_TRY(Fqdn::parse(GLOVEBOX_TRY(text_member(from, "fqdn", kMostTextBytes))));
  const std::string type = GLOVEBOX_TRY(text_member(from, "type", kMostTextBytes));
  if (type != "deno" && type != "stdio" && type != "http") return wrong("is of an unknown type " + shown(type));
  metadata.type = type == "deno"    ? Metadata::Type::kDeno
                  : type == "stdio" ? Metadata::Type::kStdio
                                    : Metadata::Type::kHttp;
  metadata.description = GLOVEBOX_TRY(text_member(from, "description", kMostDescriptionBytes));
  metadata.integrity = GLOVEBOX_TRY(Integrity::parse(GLOVEBOX_TRY(text_member(from, "integrity", kMostTextBytes))));
  const json::value* schema = mcp::member(from, "inputSchema");
  if (schema && !schema->is_object() && !schema->is_null()) return wrong("has an inputSchema that is not an object");
  metadata.input_schema = schema && schema->is_object() ? mcp::sorted_json(*schema) : R"({"type":"object"})";
  if (metadata.input_schema.size() > kMostSchemaBytes) return wrong("has an inputSchema that is too large");
  if (const auto compiled = mcp::Schema::compile(mcp::parse_tree(metadata.input_schema).value()); !compiled)
    return wrong("has an invalid inputSchema: " + compiled.failure().message);
  metadata.dependencies = GLOVEBOX_TRY(read_dependencies(from));
  metadata.tools = GLOVEBOX_TRY(read_tools(from));
  const std::string routing = GLOVEBOX_TRY(text_member(from, "routing", kMostTextBytes));
  if (!routing.empty() && routing != "client" && routing != "server")
    return wrong("has an unknown routing " + shown(routing));
  metadata.routing = routing == "server" ? Metadata::Routing::kServer : Metadata::Routing::kClient;
  metadata.env = GLOVEBOX_TRY(variables_member(from, "env"));
  fetched.code = GLOVEBOX_TRY(text_member(from, "code", kMostCodeBytes));
  fetched.code_url = GLOVEBOX_TRY(text_member(from, "code_url", kMostTextBytes));
  if (!is_plain_line(fetched.code_url)) return wrong("has a code_url that cannot be used");
  if (metadata.type == Metadata::Type::kDeno) return fetched;
  if (!fetched.code.empty() || !fetched.code_url.empty()) return wrong("has code and is of the type " + type);
  GLOVEBOX_TRY_VOID(check_plain_call(metadata));
  return fetched;
}

Result<FetchedMetadata> read_answer(std::string_view text, const Fqdn& asked) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin != text.npos && text[begin] == '<')
    return Failure{ErrorCode::kProtocol, "the registry answered with a web page instead of metadata"};
  auto read = read_metadata(text);
  // Whatever is wrong with it, the registry's answer is at fault, and not the caller's argument.
  if (!read) return Failure{ErrorCode::kProtocol, read.failure().message};
  FetchedMetadata fetched = std::move(read).value();
  if (fetched.metadata.fqdn != asked)
    return wrong("is that of " + fetched.metadata.fqdn.text() + ", and " + asked.text() + " was asked for");
  if (fetched.metadata.type == Metadata::Type::kDeno && fetched.code.empty() == fetched.code_url.empty())
    return wrong("has neither code nor a code_url, or both");
  return fetched;
}

std::string program_of(const Metadata& metadata, const std::string& code) {
  if (metadata.type == Metadata::Type::kDeno) return code;
  return "return await mcp[" + base::json_string(metadata.dependencies.front().name) + "][" +
         base::json_string(metadata.fqdn.action) + "](args)";
}

Result<void> verify_code(const Metadata& metadata, std::string_view code) {
  if (metadata.type != Metadata::Type::kDeno || metadata.integrity.matches(code)) return {};
  return Failure{ErrorCode::kProtocol, "the code of " + metadata.fqdn.text() + " does not match its metadata: " +
                                           Integrity::of(code).text() + " instead of " + metadata.integrity.text()};
}

}  // namespace glovebox::capability
