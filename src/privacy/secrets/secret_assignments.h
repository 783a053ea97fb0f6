// Values that are named as secrets: password=…, "api_key": "…", Authorization: Bearer …; in sentences, "the password is
// …"; and on command lines, --token …, mysql -p….
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// Whether any value of this key is a secret.
bool looks_like_secret_key(std::string_view key);

// In each the finding is the value alone. `at` is a colon or an equals sign.
std::optional<Finding> find_assigned_secret(std::string_view text, std::size_t at);
// `at` is where a word begins for which may_name_password is true: "password is …", "the API key is …", and "login …
// password …" of .netrc.
std::optional<Finding> find_password_in_sentence(std::string_view text, std::size_t at);
// `at` is a dash preceded by a space, or by nothing.
std::optional<Finding> find_option_secret(std::string_view text, std::size_t at);

// By its first letters: cheap enough for each word of a text.
inline bool may_name_password(std::string_view text, std::size_t at) {
  constexpr auto packed = [](const char(&begin)[4]) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(begin[0])) |
           static_cast<std::uint32_t>(static_cast<unsigned char>(begin[1])) << 8 |
           static_cast<std::uint32_t>(static_cast<unsigned char>(begin[2])) << 16;
  };
  if (at + 4 > text.size()) return false;
  std::uint32_t letters = 0;
  std::memcpy(&letters, text.data() + at, 4);
  switch ((letters | 0x202020) & 0xffffff) {
    case packed("pas"):
    case packed("ken"):
    case packed("con"):
    case packed("sen"):
    case packed("wac"):
    case packed("has"):
    case packed("mot"):
    case packed("hes"):
    case packed("adg"):
    case packed("l\xe3\xb6"):
    case packed("tok"):
    case packed("api"):
    case packed("acc"):
    case packed("sec"): return true;
    default: return false;
  }
}

}  // namespace glovebox::privacy
