// JSON with comments and trailing commas, as a tree that remembers positions: a person who fixes a config file needs
// the line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::config {

struct JsonNode;

struct JsonMember;
using JsonArray = std::vector<JsonNode>;
using JsonObject = std::vector<JsonMember>;

struct JsonNode {
  // Defined elsewhere, because a member is complete only after a node.
  JsonNode();
  JsonNode(JsonNode&&) noexcept;
  JsonNode& operator=(JsonNode&&) noexcept;
  ~JsonNode();

  std::size_t offset = 0;  // of its first byte in the text
  std::size_t end = 0;     // after its last byte
  // In the order of the text; a repeated key is refused before.
  std::variant<std::nullptr_t, bool, std::int64_t, double, std::string, JsonArray, JsonObject> value;

  template <typename T>
  const T* as() const {
    return std::get_if<T>(&value);
  }
};

struct JsonMember {
  std::string key;
  std::size_t key_offset = 0;
  JsonNode value;
};

struct JsonProblem {
  std::size_t offset = 0;
  std::string message;
};

Result<JsonNode, JsonProblem> parse_jsonc(std::string_view text);

// The node as JSON without comments and spaces; `text` is what it was parsed from. Numbers and texts are as written
// there.
std::string to_json(const JsonNode& node, std::string_view text);

// The text with blanks in place of comments, so that everything else keeps its position.
Result<std::string, JsonProblem> without_comments(std::string_view text);

// Both from 1; columns count bytes, as in compilers.
struct TextPosition {
  int line = 1;
  int column = 1;
};
TextPosition position_of(std::string_view text, std::size_t offset);

}  // namespace glovebox::config
