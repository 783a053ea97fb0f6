// Untrusted text within Python: strings, names and comments that cannot be terminated from within.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::types {

// A string literal on one line.
std::string python_string(std::string_view utf8);

// A valid name of a parameter or attribute: no keyword, and nothing that Python mangles within classes.
bool is_python_name(std::string_view text);

// """…""" for a function, on lines with this indent; empty for an empty text.
std::string python_doc(std::string_view utf8, std::size_t most, int indent);

}  // namespace glovebox::types
