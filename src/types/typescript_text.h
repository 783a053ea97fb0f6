// Untrusted text within TypeScript: strings, names and comments that cannot end before they should.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::types {

// A string literal. ASCII but for letters of other scripts; no control, line break or turning of direction is bare in
// it.
std::string string_literal(std::string_view utf8);

// A property's or method's name in a type: bare where that is safe, quoted otherwise.
std::string property_name(std::string_view utf8);

// Can stand as an identifier, reserved words included.
bool is_identifier(std::string_view text);

// Words that cannot name a variable.
bool is_reserved_word(std::string_view text);

// What a comment may hold of `utf8`: one line, at most about `most` bytes, cut at the end of a sentence or a word.
std::string comment_line(std::string_view utf8, std::size_t most);

// The same with the line breaks left in.
std::string comment_text(std::string_view utf8, std::size_t most);

// The beginning of `text` with _ for whatever is no ASCII letter or digit. Others may have the same.
std::string plain_word(std::string_view text);

}  // namespace glovebox::types
