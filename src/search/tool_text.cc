#include "search/tool_text.h"

#include <algorithm>
#include <boost/json.hpp>

namespace glovebox::search {
namespace {

namespace json = boost::json;

// Far above what real tools have (the longest descriptions are a few pages); limits what a hostile server costs.
constexpr std::size_t kMostNameBytes = 512;
constexpr std::size_t kMostTextBytes = 16 << 10;
constexpr std::size_t kMostParameterTextBytes = 2 << 10;
constexpr std::size_t kMostParameters = 200;
constexpr std::size_t kMostSchemaBytes = 4 << 20;
constexpr int kMostDepth = 12;

// Cut at a character boundary, so that the rest stays valid UTF-8.
std::string cut(std::string_view text, std::size_t most) {
  if (text.size() > most) {
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0) == 0x80) --most;
    text = text.substr(0, most);
  }
  return std::string(text);
}

std::string_view string_member(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value && value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

void collect(const json::value& schema, int depth, std::vector<Parameter>& out);

void collect_each(const json::value* schemas, int depth, std::vector<Parameter>& out) {
  if (!schemas) return;
  if (const json::array* list = schemas->if_array())
    for (const json::value& schema : *list) collect(schema, depth, out);
  if (schemas->is_object()) collect(*schemas, depth, out);
}

// The properties of one level come before deeper ones. References are not followed: their targets are under $defs, and
// are read there once.
void collect(const json::value& schema, int depth, std::vector<Parameter>& out) {
  const json::object* object = schema.if_object();
  if (!object || depth > kMostDepth) return;
  const json::value* properties = object->if_contains("properties");
  const json::object* named = properties ? properties->if_object() : nullptr;
  if (named)
    for (const auto& [name, property] : *named) {
      if (out.size() >= kMostParameters) return;
      const json::object* inner = property.if_object();
      const std::string_view description = inner ? string_member(*inner, "description") : std::string_view();
      out.push_back({cut(name, kMostNameBytes), cut(description, kMostParameterTextBytes)});
    }
  if (named)
    for (const auto& [name, property] : *named) collect(property, depth + 1, out);
  for (const char* key : {"items", "prefixItems", "allOf", "anyOf", "oneOf"})
    collect_each(object->if_contains(key), depth + 1, out);
  for (const char* key : {"$defs", "definitions"})
    if (const json::value* definitions = object->if_contains(key); definitions && definitions->is_object())
      for (const auto& [name, definition] : definitions->get_object()) collect(definition, depth + 1, out);
}

bool is_upper(char c) {
  return c >= 'A' && c <= 'Z';
}
bool is_lower(char c) {
  return c >= 'a' && c <= 'z';
}

// list_commits and listCommits as a person would write them: the encoder knows words, not identifiers.
std::string spelled_out(std::string_view name) {
  std::string out;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool gap = c == '_' || c == '-' || c == '.' || c == '/' || c == ' ';
    const bool begins =
        i > 0 && is_upper(c) && (!is_upper(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
    if ((gap || begins) && !out.empty() && out.back() != ' ') out += ' ';
    if (!gap) out += c;
  }
  return out;
}

}  // namespace

ToolText tool_text(std::string_view server, std::string_view name, std::string_view description,
                   std::string_view input_schema_json, std::string_view server_description) {
  ToolText tool{cut(server, kMostNameBytes),
                cut(server_description, kMostParameterTextBytes),
                cut(name, kMostNameBytes),
                cut(description, kMostTextBytes),
                {}};
  if (input_schema_json.empty() || input_schema_json.size() > kMostSchemaBytes) return tool;
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = 64;
  const json::value schema = json::parse({input_schema_json.data(), input_schema_json.size()}, error, {}, options);
  if (!error) collect(schema, 0, tool.parameters);
  return tool;
}

std::string embedding_text(const ToolText& tool) {
  std::string text;
  if (!tool.server.empty()) text += spelled_out(tool.server) + " - ";
  text += spelled_out(tool.name);
  if (!tool.description.empty()) text += ": " + tool.description;
  for (std::size_t i = 0; i < tool.parameters.size(); ++i)
    text += (i == 0 ? " Parameters: " : ", ") + spelled_out(tool.parameters[i].name);
  return text;
}

}  // namespace glovebox::search
