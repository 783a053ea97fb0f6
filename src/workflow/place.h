// Where in a file something is wrong: a JSON pointer as line and column.
#pragma once

#include <string>
#include <string_view>

#include "config/jsonc.h"
#include "workflow/definition/definition.h"

namespace glovebox::workflow {

// The position of the deepest part of the pointer that exists. `at_key`: of the member's key.
config::TextPosition place_of(const config::JsonNode& root, std::string_view text, std::string_view pointer,
                              bool at_key);

// A workflow file: JSON with comments. The failure is one line for each problem: file:line:column: message.
struct DefinitionFile {
  std::string path;
  std::string text;
  config::JsonNode root;
  json::value tree;

  static Result<DefinitionFile> parse(std::string path, std::string text);
  std::string describe(const Problems& problems) const;
};

// Without a file: tasks[2].dependencies[0]: message.
std::string describe(const Problems& problems);

}  // namespace glovebox::workflow
