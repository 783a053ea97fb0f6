// E-mail addresses that are spelled out: bob (at) example.com, bob[at]example[dot]com, bob at example dot com,
// bob_at_example.com, BOB AT EXAMPLE.COM, bob @ example.com, bob (arroba) example (punto) com; data-cfemail="…".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is where "at", or such a word of another language, begins, and `end` is where it ends.
std::optional<Finding> find_spelled_email(std::string_view text, std::size_t at, std::size_t end);
// `at` is an @ beside a space, or in brackets.
std::optional<Finding> find_spaced_email(std::string_view text, std::size_t at);
// `end` is where data-cfemail, or email-protection in a URL, ends.
std::optional<Finding> find_hexadecimal_email(std::string_view text, std::size_t end);
// By the size and the first letter of "at", "arroba", "cfemail", "protection" and their like: cheap enough for each
// word of a text.
inline bool may_be_of_mail(std::string_view text, std::size_t begin, std::size_t size) {
  switch (text[begin] | 0x20) {
    case 'a':
      return (size == 1 && begin > 0 && text[begin - 1] == '(') || (size == 2 && (text[begin + 1] | 0x20) == 't') ||
             (size > 5 && text[begin + 1] == 'r');
    case 'c': return size == 7 || size == 10;
    case 'p': return size == 10;
    case 't': return size == 1;
    default: return false;
  }
}
// Whether a word may stand for an @.
inline bool may_be_at_sign(std::string_view text, std::size_t begin, std::size_t size) {
  switch (size) {
    case 1:  // (a), (ät)
      return begin > 1 && (((text[begin] | 0x20) == 'a' && text[begin - 1] == '(') ||
                           (text[begin] == 't' && text[begin - 1] == '\xa4' && text[begin - 2] == '\xc3'));
    case 2: return (text[begin] | 0x20) == 'a' && (text[begin + 1] | 0x20) == 't';
    case 6: return text.substr(begin, size) == "arroba";
    case 7: return text.substr(begin, size) == "arobase";
    case 10: return text.substr(begin, size) == "chiocciola";
    default: return false;
  }
}
// bob@example.com, however it is spelled.
std::string plain_email(std::string_view address);

}  // namespace glovebox::privacy
