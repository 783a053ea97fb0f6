// Values that are called secrets: password=…, "api_key": "…", Authorization: Bearer …; in sentences, "the password is …";
// and on command lines, --token …, mysql -p….
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// Whether whatever stands at this key is a secret.
bool looks_like_secret_key(std::string_view key);

// In each the finding is the value alone.
// `at` is a colon or an equals sign.
std::optional<Finding> find_assigned_secret(std::string_view text, std::size_t at);
// `at` is where a word begins that may_name_password holds of: "password is …", and "login … password …" of .netrc.
std::optional<Finding> find_told_password(std::string_view text, std::size_t at);
// `at` is a dash with a space, or nothing, before it.
std::optional<Finding> find_option_secret(std::string_view text, std::size_t at);

// By four letters, of which all words have an own beginning: cheap enough for each word of a text.
inline bool may_name_password(std::string_view text, std::size_t at) {
  if (at + 4 > text.size()) return false;
  const auto letter = [&](std::size_t i) { return text[at + i] | 0x20; };
  const char first = static_cast<char>(letter(0));
  if (first != 'p' && first != 'k' && first != 'c' && first != 's' && first != 'w' && first != 'h' && first != 'm')
    return false;
  const auto is = [&](const char* begin) {
    return first == begin[0] && letter(1) == begin[1] && letter(2) == begin[2] && (begin[3] == 0 || letter(3) == begin[3]);
  };
  return is("pass") || is("kenn") || is("cont") || is("senh") || is("wach") || is("has") || is("mot");
}

}  // namespace glovebox::privacy
