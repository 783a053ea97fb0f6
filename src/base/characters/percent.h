// Bytes as a percent sign and two hexadecimal digits.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace glovebox::base {

// As in URLs: letters, digits and the characters of `plain` stand for themselves.
std::string url_escaped(std::string_view bytes, std::string_view plain);
// Paths in our own files, which may be any bytes: printable ASCII stands for itself, but for % and, unless it is among
// `plain`, the space.
std::string printable_escaped(std::string_view bytes, std::string_view plain = "");

// Nothing where a % has no two digits behind it.
std::optional<std::string> percent_decoded(std::string_view text);
// As in forms and queries, where + is a space.
std::optional<std::string> form_decoded(std::string_view text);

}  // namespace glovebox::base
