#include "types/schema/schema_facts.h"

#include "mcp/json/json_tree.h"
#include "types/limits.h"

namespace glovebox::types {

std::string description_of(const boost::json::object& schema) {
  auto description = mcp::string_member(schema, "description");
  if (!description || description->empty()) description = mcp::string_member(schema, "title");
  return description.value_or("");
}

std::vector<Fact> facts_of(const boost::json::object& schema) {
  std::vector<Fact> facts;
  for (const char* key :
       {"default", "format", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minLength",
        "maxLength", "pattern", "minItems", "maxItems", "uniqueItems", "deprecated"}) {
    const boost::json::value* value = mcp::member(schema, key);
    if (!value) continue;
    const bool is_word = std::string_view(key) == "format" || std::string_view(key) == "pattern";
    if (is_word && !value->is_string()) continue;
    std::string text = is_word ? *mcp::string_member(schema, key) : boost::json::serialize(*value);
    if (text.size() <= kMostNameBytes) facts.push_back({key, std::move(text)});
  }
  if (const auto* choices = mcp::array_member(schema, "enum"); choices && choices->size() > kMostChoices)
    facts.push_back({"enum", "one of " + std::to_string(choices->size()) + " values"});
  return facts;
}

}  // namespace glovebox::types
