// Untrusted text within TypeScript: strings, names and comments that cannot be terminated from within.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::types {

// A string literal. ASCII except for letters of other scripts; control characters, line breaks and direction marks are
// escaped.
std::string string_literal(std::string_view utf8);

// A property's or method's name in a type: bare where that is safe, quoted otherwise.
std::string property_name(std::string_view utf8);

// Whether it is an identifier, reserved words included.
bool is_identifier(std::string_view text);

// Words that cannot name a variable.
bool is_reserved_word(std::string_view text);

// `utf8` for use in a comment: one line, at most about `most` bytes, cut at the end of a sentence or a word.
std::string comment_line(std::string_view utf8, std::size_t most);

// The same with line breaks kept.
std::string comment_text(std::string_view utf8, std::size_t most);

// A comment on lines of its own, of a text from above; nothing for an empty one.
std::string doc_comment(std::string_view text, int indent);

// The beginning of `text` with _ for every character that is not an ASCII letter or digit. Not unique.
std::string plain_word(std::string_view text);

}  // namespace glovebox::types
