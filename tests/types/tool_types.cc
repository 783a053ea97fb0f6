// tool_types compact|full|python|single < SHAPES: prints the output of the types layer for any tools. SHAPES is a JSON
// array of objects with server, name, description, inputSchema (any JSON, or a text in schemaText) and so on; `single`
// prints a JSON array with the signature of each.
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <string>

#include "base/text/json_text.h"
#include "mcp/json/json_tree.h"
#include "types/declarations.h"
#include "types/part_check.h"
#include "types/python_stubs.h"
#include "types/schema/translate.h"

namespace {

namespace json = boost::json;
using glovebox::types::Form;
using glovebox::types::ToolShape;

std::string text_of(const json::object& object, std::string_view key) {
  return glovebox::mcp::string_member(object, key).value_or("");
}

std::string schema_of(const json::object& object, std::string_view key, std::string_view text_key) {
  if (const json::value* schema = glovebox::mcp::member(object, key)) return json::serialize(*schema);
  return text_of(object, text_key);
}

// What the gateway would refuse to take is no translation.
glovebox::types::Part checked_part(const glovebox::types::PartQuestion& question) {
  glovebox::types::Part part = glovebox::types::translate(question);
  const std::string_view fault = fault_in(question, part);
  if (!fault.empty()) {
    std::cerr << "tool_types: the gateway would refuse " << fault << "\n" << part.signatures.front() << part.types;
    std::exit(3);
  }
  return part;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string form = argc > 1 ? argv[1] : "compact";
  const std::string text(std::istreambuf_iterator<char>(std::cin), {});
  boost::system::error_code error;
  json::parse_options options;
  options.max_depth = 500;
  const json::value given = json::parse(text, error, {}, options);
  if (error || !given.is_array()) {
    std::cerr << "tool_types: a JSON array was expected\n";
    return 2;
  }
  std::vector<ToolShape> shapes;
  for (const json::value& one : given.get_array()) {
    const json::object& object = one.as_object();
    shapes.push_back({.server = text_of(object, "server"),
                      .server_alias = text_of(object, "serverAlias"),
                      .name = text_of(object, "name"),
                      .alias = text_of(object, "alias"),
                      .description = text_of(object, "description"),
                      .input_schema = schema_of(object, "inputSchema", "inputText"),
                      .output_schema = schema_of(object, "outputSchema", "outputText")});
  }
  if (form == "python") {
    std::cout << glovebox::types::python_stubs(shapes, checked_part);
  } else if (form == "single") {
    std::string list;
    for (const ToolShape& shape : shapes)
      list +=
          (list.empty() ? "" : ",") + glovebox::base::json_string(declare_tool(shape, Form::kCompact, checked_part));
    std::cout << "[" << list << "]\n";
  } else {
    std::cout << declare_all(shapes, form == "full" ? Form::kFull : Form::kCompact, checked_part);
  }
  return 0;
}
