#include "config/schema/config_schema.h"

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
  std::string json = R"({"$schema":"http://json-schema.org/draft-07/schema#","title":"glovebox.json",)";
  json += R"("description":"Servers, permissions and limits of a Glovebox workspace: docs/config.md",)";
  json += R"("definitions":{"server":)" + server_schema().json() + "},";
  return base::pretty_json(json + top.json(true).substr(1)) + "\n";
}

}  // namespace glovebox::config
