#include "config/schema/config_schema.h"

#include "base/text/json_builder.h"
#include "base/text/json_text.h"
#include "config/schema/setting_schemas.h"

namespace glovebox::config {

std::string config_schema() {
  const std::string servers = R"({"type":"object","additionalProperties":{"$ref":"#/definitions/server"}})";
  SchemaObject top;
  add_gateway_schema(top);
  top.add("$schema", std::string(R"({"type":"string"})"));
  top.add("inputs", std::string("true"));
  top.add("mcpServers", servers);
  top.add("python", python_schema().json());
  top.add("sandbox", sandbox_schema().json());
  top.add("servers", servers);
  top.add("skills", skills_schema());
  // Draft 7 is what editors support best. Keys of other programs may be beside ours.
  base::ObjectText schema;
  schema.text("$schema", "http://json-schema.org/draft-07/schema#").text("title", "glovebox.json");
  schema.text("description", "Servers, permissions and limits of a Glovebox workspace: docs/config.md");
  schema.json("definitions", base::ObjectText().json("server", server_schema().json()).done());
  return base::pretty_json(schema.members(top.json(true)).done()) + "\n";
}

}  // namespace glovebox::config
