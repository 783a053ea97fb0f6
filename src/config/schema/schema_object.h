// JSON Schema of an object in a config file, made by the functions that read its members: each is called with a
// ValueReader that only describes. The schema has exactly the keys that can be read.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "config/value_reader.h"

namespace glovebox::config {

class SchemaObject {
 public:
  // As JSON.
  void add(std::string key, std::string schema) { members_[std::move(key)] = std::move(schema); }
  void add(std::string key, const std::function<void(ValueReader&)>& read);
  std::string of(std::string_view key) const;

  // `others`: unknown keys are allowed.
  std::string json(bool others = false) const;

 private:
  std::map<std::string, std::string, std::less<>> members_;
};

// From a table of readers, as the parser uses it.
template <typename Table, typename Settings>
SchemaObject schema_of(const Table& table, Settings scratch) {
  SchemaObject schema;
  for (const auto& entry : table)
    schema.add(entry.first, [&](ValueReader& reader) { entry.second(scratch, JsonNode(), reader); });
  return schema;
}

std::string any_of(const std::string& one, const std::string& other);

}  // namespace glovebox::config
