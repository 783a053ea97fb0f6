#include "config/schema/schema_object.h"

#include "base/text/json_builder.h"

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
  base::ObjectText properties, out;
  for (const auto& [key, schema] : members_) properties.json(key, schema);
  out.text("type", "object").json("properties", properties.done());
  return (others ? out : out.flag("additionalProperties", false)).done();
}

std::string any_of(const std::string& one, const std::string& other) {
  return base::ObjectText().json("anyOf", base::ListText().json(one).json(other).done()).done();
}

}  // namespace glovebox::config
