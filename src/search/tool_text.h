// What search knows of a tool: its words, taken from a definition that its server wrote: untrusted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glovebox::search {

struct Parameter {
  std::string name;
  std::string description;
};

struct ToolText {
  std::string server;
  std::string server_description;  // the server's own; used for words only, because it may change at any time
  std::string name;
  std::string description;
  std::vector<Parameter> parameters;  // nested ones as well, the outer ones first
};

// Parameters come from the JSON Schema of the tool's input. A schema that cannot be parsed yields none: the tool is
// found by its other words. Long texts and schemas with very many parameters are cut.
ToolText tool_text(std::string_view server, std::string_view name, std::string_view description,
                   std::string_view input_schema_json, std::string_view server_description = "");

// The text to embed for a tool. Stored vectors are keyed by a hash of this text and the encoder's model().
std::string embedding_text(const ToolText& tool);

}  // namespace glovebox::search
