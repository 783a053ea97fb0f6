// JSON Schema of glovebox.json, so that editors complete its keys and mark mistakes. Made by the parser itself;
// docs/glovebox.schema.json is this text.
#pragma once

#include <string>

namespace glovebox::config {

std::string config_schema();

}  // namespace glovebox::config
