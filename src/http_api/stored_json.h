// Reads JSON that the store keeps as text.
#pragma once

#include <string>

#include "mcp/json/json_tree.h"

namespace glovebox::http_api {

// Null where there is none, or it cannot be read.
inline mcp::json::value stored_json(const std::string& text) {
  auto tree = mcp::parse_tree(text);
  return tree ? std::move(tree).value() : mcp::json::value(nullptr);
}

}  // namespace glovebox::http_api
