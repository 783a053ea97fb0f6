#include "config/schema/schema_object.h"

#include "base/text/json_text.h"

namespace glovebox::config {

void SchemaObject::add(std::string key, const std::function<void(ValueReader&)>& read) {
  std::vector<std::string> schemas;
  ValueReader reader(schemas);
  read(reader);
  std::string all = "true";
  for (const std::string& schema : schemas) all = all == "true" ? schema : any_of(schema, all);
  add(std::move(key), std::move(all));
}

std::string SchemaObject::of(std::string_view key) const {
  const auto found = members_.find(key);
  return found == members_.end() ? "true" : found->second;
}

std::string SchemaObject::json(bool others) const {
  std::string json = R"({"type":"object","properties":{)";
  bool first = true;
  for (const auto& [key, schema] : members_) {
    json += (std::exchange(first, false) ? "" : ",") + base::json_string(key) + ":" + schema;
  }
  return json + (others ? "}}" : R"(},"additionalProperties":false})");
}

std::string any_of(const std::string& one, const std::string& other) {
  return R"({"anyOf":[)" + one + "," + other + "]}";
}

}  // namespace glovebox::config
