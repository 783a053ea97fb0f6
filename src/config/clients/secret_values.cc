#include "config/clients/secret_values.h"

#include <algorithm>

#include "base/characters/ascii.h"

namespace glovebox::config {
namespace {

bool sounds_secret(std::string_view text) {
  const std::string name = base::lower_case(text);
  for (const char* part : {"token", "secret", "pass", "pwd", "key", "auth", "credential", "cookie", "session", "dsn",
                           "private", "bearer", "signature"})
    if (name.find(part) != name.npos) return true;
  return false;
}

bool refers_to_variable(std::string_view value) {
  return value.find("${") != value.npos || value.find("{env:") != value.npos;
}

bool consists_of(std::string_view text, std::string_view extra) {
  return std::all_of(text.begin(), text.end(),
                     [&](char c) { return base::is_lower(c) || base::is_digit(c) || extra.find(c) != extra.npos; });
}

// Paths, short words, numbers, addresses without a user or a query.
bool is_plainly_harmless(std::string_view value) {
  constexpr std::size_t kMostPlainWord = 16;
  constexpr std::size_t kMostNumber = 8;
  const bool has_digit = value.find_first_of("0123456789") != value.npos;
  if (consists_of(value, "._-") && value.size() <= (has_digit ? kMostNumber : kMostPlainWord)) return true;
  if (value.starts_with("https://") || value.starts_with("http://")) return value.find_first_of("@?#") == value.npos;
  return value.starts_with('/') || value.starts_with("./") || value.starts_with("~/");
}

}  // namespace

bool may_be_secret(std::string_view name, std::string_view value) {
  if (value.empty() || refers_to_variable(value)) return false;
  return sounds_secret(name) || !is_plainly_harmless(value);
}

SecretSpan find_secret(std::string_view text, std::string_view before) {
  if (text.empty() || refers_to_variable(text)) return {};
  // The value of the preceding option.
  if (before.starts_with('-') && before.find('=') == before.npos && sounds_secret(before) && !text.starts_with('-'))
    return {0, text.size()};
  // `name=value` and `Name: value`, also within an address.
  for (std::size_t at = text.find_first_of("=:"); at != text.npos; at = text.find_first_of("=:", at + 1)) {
    const std::size_t begin = text.find_last_of("?&; ", at);
    const std::string_view name =
        text.substr(begin == text.npos ? 0 : begin + 1, at - (begin == text.npos ? 0 : begin + 1));
    if (name.find('/') != name.npos || !sounds_secret(name)) continue;
    std::size_t value = at + 1;
    while (value < text.size() && text[value] == ' ') ++value;
    const std::size_t end = text[at] == '=' ? std::min(text.find_first_of("&; ", value), text.size()) : text.size();
    if (end > value) return {value, end - value};
  }
  // scheme://user:password@host
  const std::size_t scheme = text.find("://");
  if (scheme == text.npos) return {};
  const std::size_t host = scheme + 3;
  const std::size_t at = text.substr(0, text.find('/', host)).rfind('@');
  return at != text.npos && at > host ? SecretSpan{host, at - host} : SecretSpan{};
}

}  // namespace glovebox::config
