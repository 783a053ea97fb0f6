// Untrusted text within Python: strings, names and comments that cannot end before they should.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::types {

// A string literal on one line.
std::string python_string(std::string_view utf8);

// A name that a parameter or attribute can have: no keyword, and nothing that Python changes within classes.
bool is_python_name(std::string_view text);

// """…""" for a function, on lines with this indent; empty for an empty text.
std::string python_doc(std::string_view utf8, std::size_t most, int indent);

}  // namespace glovebox::types
