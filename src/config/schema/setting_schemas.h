// The schema of each reader's keys; config_schema.h combines them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "config/schema/schema_object.h"

namespace glovebox::config {

SchemaObject sandbox_schema();
SchemaObject python_schema();
SchemaObject server_schema();  // of one server
SchemaObject privacy_schema();
std::string flows_schema();
std::string skills_schema();
void add_gateway_schema(SchemaObject& schema);

// The keys at the top of the file that are ours.
std::span<const std::string_view> config_keys();

}  // namespace glovebox::config
