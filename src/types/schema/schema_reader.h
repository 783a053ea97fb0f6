// JSON Schema, 2020-12 and draft-07, to types.
//
// A type allows every value that its schema allows, with two exceptions that find more mistakes than they cause: names
// that an object's schema does not list are not allowed unless it says so, and a schema that has keywords for
// properties or items but no type means an object or an array. What types cannot express (patterns, bounds, `not`,
// conditions) is left out or becomes a fact; the call itself is checked against the schema.
#pragma once

#include <string>

#include "types/schema/type_model.h"

namespace glovebox::types {

// Schemas are JSON texts; `output_schema` may be empty.
ToolModel read_tool_model(const std::string& input_schema, const std::string& output_schema);

}  // namespace glovebox::types
