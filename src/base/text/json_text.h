// Writes JSON strings without building a tree.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::base {

// Appends `utf8` as a JSON string with its quotes. `utf8` must be valid UTF-8.
void append_json_string(std::string& out, std::string_view utf8);

// As RFC 8785 writes it: DEL stands for itself, and two more control characters have escapes of one letter.
void append_canonical_string(std::string& out, std::string_view utf8);

// `utf8` as a JSON string with its quotes.
std::string json_string(std::string_view utf8);

// Shortest decimal text with at most three digits after the point: figures for people and their programs.
void append_json_millis(std::string& out, double value);

// Well-formed JSON with line breaks and an indent of two, for people. With `unescapes`, strings have no more escapes
// than they need: those can hide a word.
std::string pretty_json(std::string_view json, bool unescapes = false);

}  // namespace glovebox::base
