#include "skills/signature.h"

#include <algorithm>

#include "base/characters/ascii.h"
#include "mcp/json/json_tree.h"

namespace glovebox::skills {
namespace {

namespace json = boost::json;

constexpr int kMostDepth = 4;
constexpr std::size_t kMostParts = 24;  // of a union, an enum or a default
constexpr std::size_t kMostBytes = 4096;

std::string text_of(const json::string& text) {
  const bool is_plain = std::none_of(text.begin(), text.end(), [](char c) {
    return c == '\'' || c == '\\' || static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
  });
  // Otherwise as JSON, which Python reads as the same text.
  return is_plain ? "'" + std::string(text.data(), text.size()) + "'" : json::serialize(text);
}

std::string literal(const json::value& value, int depth) {
  if (value.is_null()) return "None";
  if (const bool* truth = value.if_bool()) return *truth ? "True" : "False";
  if (const auto* text = value.if_string()) return text_of(*text);
  const auto* items = value.if_array();
  const auto* members = value.if_object();
  if (!items && !members) return json::serialize(value);
  if (depth > kMostDepth || (items ? items->size() : members->size()) > kMostParts) return "...";
  std::string out = items ? "[" : "{";
  if (items) {
    for (const json::value& item : *items) out += (out.size() > 1 ? ", " : "") + literal(item, depth + 1);
    return out + "]";
  }
  for (const auto& member : *members) {
    out +=
        (out.size() > 1 ? ", " : "") + text_of(json::string(member.key())) + ": " + literal(member.value(), depth + 1);
  }
  return out + "}";
}

std::string type_of(const json::value* schema, int depth);

std::string joined_types(const json::array& schemas, const char* separator, int depth) {
  std::vector<std::string> parts;
  for (const json::value& schema : schemas) {
    std::string part = type_of(&schema, depth + 1);
    if (parts.size() < kMostParts && std::find(parts.begin(), parts.end(), part) == parts.end()) {
      parts.push_back(std::move(part));
    }
  }
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : separator) + part;
  return out.empty() ? "Any" : out;
}

std::string type_named(std::string_view name, const json::object& schema, int depth) {
  if (name == "string") return "str";
  if (name == "integer") return "int";
  if (name == "number") return "float";
  if (name == "boolean") return "bool";
  if (name == "null") return "None";
  if (name == "array") {
    if (const auto* places = mcp::array_member(schema, "prefixItems"); places && places->size() <= kMostParts) {
      std::string out;
      for (const json::value& place : *places) out += (out.empty() ? "" : ", ") + type_of(&place, depth + 1);
      return "tuple[" + out + "]";
    }
    const json::value* items = schema.if_contains("items");
    return items ? "list[" + type_of(items, depth + 1) + "]" : "list";
  }
  if (name == "object") {
    const json::object* values = mcp::object_member(schema, "additionalProperties");
    return values ? "dict[str, " + type_of(schema.if_contains("additionalProperties"), depth + 1) + "]" : "dict";
  }
  return "Any";
}

std::string type_of(const json::value* given, int depth) {
  const json::object* schema = given ? given->if_object() : nullptr;
  if (!schema || depth > kMostDepth) return "Any";
  if (const auto* values = mcp::array_member(*schema, "enum"); values && values->size() <= kMostParts) {
    std::string out;
    for (const json::value& value : *values) out += (out.empty() ? "" : ", ") + literal(value, depth);
    return "Literal[" + out + "]";
  }
  for (const char* key : {"anyOf", "oneOf"}) {
    if (const auto* schemas = mcp::array_member(*schema, key)) return joined_types(*schemas, " | ", depth);
  }
  if (const auto name = mcp::string_member(*schema, "type")) return type_named(*name, *schema, depth);
  return "Any";
}

bool is_identifier(std::string_view name) {
  return !name.empty() && !base::is_digit(name.front()) &&
         std::all_of(name.begin(), name.end(), [](char c) { return base::is_alnum(c) || c == '_' || (c & 0x80); });
}

}  // namespace

std::string python_signature(const catalog::Tool& tool) {
  const auto input = mcp::parse_object(tool.input_schema);
  const json::object* properties = input ? mcp::object_member(*input, "properties") : nullptr;
  const json::array* required = input ? mcp::array_member(*input, "required") : nullptr;
  // Required parameters come first, as Python demands.
  std::string musts;
  std::string others;
  bool more = input && input->contains("additionalProperties") && input->at("additionalProperties") == true;
  if (properties) {
    for (const auto& property : *properties) {
      const std::string name(property.key());
      if (!is_identifier(name)) {
        more = true;
        continue;
      }
      const bool must = required && std::find(required->begin(), required->end(), json::value(name)) != required->end();
      std::string& list = must ? musts : others;
      list += (list.empty() ? "" : ", ") + name + ": " + type_of(&property.value(), 0);
      if (must) continue;
      const json::object* schema = property.value().if_object();
      const json::value* fallback = schema ? schema->if_contains("default") : nullptr;
      list += " = " + (fallback ? literal(*fallback, 0) : "...");
    }
  }
  std::string out = tool.name + "(" + musts + (musts.empty() || others.empty() ? "" : ", ") + others;
  if (more) out += out.back() == '(' ? "**more" : ", **more";
  out += ")";
  if (!tool.output_schema.empty()) {
    if (const auto output = mcp::parse_tree(tool.output_schema)) out += " -> " + type_of(&*output, 0);
  }
  return out.size() <= kMostBytes ? out : tool.name + "(...)";
}

}  // namespace glovebox::skills
