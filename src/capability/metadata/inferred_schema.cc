#include "capability/metadata/inferred_schema.h"

#include <algorithm>
#include <boost/json.hpp>

namespace glovebox::capability {
namespace {

namespace json = boost::json;

// What is nested deeper may be anything.
constexpr int kMostSchemaDepth = 8;
constexpr std::size_t kMostMembers = 100;

json::object schema_of(const json::value& example, int depth) {
  switch (example.kind()) {
    case json::kind::null: return {};
    case json::kind::bool_: return {{"type", "boolean"}};
    case json::kind::int64:
    case json::kind::uint64:
    case json::kind::double_: return {{"type", "number"}};
    case json::kind::string: return {{"type", "string"}};
    case json::kind::array: {
      json::object schema{{"type", "array"}};
      const json::array& items = example.get_array();
      if (items.empty() || depth >= kMostSchemaDepth) return schema;
      const json::object first = schema_of(items.front(), depth + 1);
      const bool alike = std::all_of(items.begin(), items.end(),
                                     [&](const json::value& item) { return schema_of(item, depth + 1) == first; });
      if (alike) schema["items"] = first;
      return schema;
    }
    case json::kind::object: {
      json::object schema{{"type", "object"}};
      const json::object& members = example.get_object();
      if (members.empty() || members.size() > kMostMembers || depth >= kMostSchemaDepth) return schema;
      json::object properties;
      json::array required;
      for (const auto& member : members) {
        properties[member.key()] = schema_of(member.value(), depth + 1);
        required.emplace_back(member.key());
      }
      schema["properties"] = std::move(properties);
      schema["required"] = std::move(required);
      return schema;
    }
  }
  return {};
}

}  // namespace

std::string inferred_schema(const json::value& example) {
  return json::serialize(schema_of(example, 0));
}

}  // namespace glovebox::capability
