// The tools of one server as they are known.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/tool.h"
#include "mcp/json/schema.h"

namespace glovebox::catalog {

class Upstream;

struct ServerEntry {
  std::shared_ptr<Upstream> upstream;
  std::string owner;                 // of a class: the server in the config, whose upstream it shares
  std::vector<std::string> listing;  // of a server with classes: all their definitions
  std::vector<Tool> tools;           // of a server with classes: those that belong to none
  std::map<std::string, std::shared_ptr<const mcp::Schema>> schemas;  // by text; null where it cannot be applied

  // By name, or else by alias, or else as find_alike does. A refused tool is found when there is no other.
  Tool* find(std::string_view name);
  // The only one of the server's own tools whose name differs just in case and separators.
  Tool* find_alike(std::string_view name);

  // Compiled once; null where it cannot be applied.
  std::shared_ptr<const mcp::Schema> schema(const std::string& text);
};

// Why a value does not fit its tool's output schema: `schema` may be null. Nothing where it fits, or where it is too
// large to check.
std::string mismatch_of(const mcp::Schema* schema, std::string_view value_json);

}  // namespace glovebox::catalog
