// The tokens of a JavaScript or TypeScript program that is plain ASCII.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace glovebox::program {

struct Token {
  enum class Kind : char { kWord, kNumber, kString, kTemplate, kPattern, kSign, kEnd };

  Kind kind = Kind::kEnd;
  bool begins_line = false;  // there is a line break before it
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string_view text;
  std::size_t match = 0;  // of a bracket: the index of the other one

  bool is(std::string_view sign) const { return kind == Kind::kSign && text == sign; }
  bool is_word(std::string_view word) const { return kind == Kind::kWord && text == word; }
  // Of brackets, ${} included.
  bool opens() const { return is("(") || is("[") || is("{") || (kind == Kind::kTemplate && text.ends_with("${")); }
  bool closes() const { return is(")") || is("]") || is("}") || (kind == Kind::kTemplate && text.starts_with('}')); }
};

// With a last one of kind kEnd. Brackets fit together; a template is a token up to and including each ${, and another
// from the bracket that closes it. `>>` is two tokens. Nothing if the text cannot be read without a grammar.
std::optional<std::vector<Token>> read_tokens(std::string_view code);

// Reserved in strict mode: no name of a variable.
bool is_reserved(std::string_view word);

}  // namespace glovebox::program
