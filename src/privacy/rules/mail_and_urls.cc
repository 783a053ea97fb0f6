#include "privacy/rules/mail_and_urls.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "privacy/characters.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestName = 64;   // RFC 5321
constexpr std::size_t kLongestHost = 253;  // RFC 1035
constexpr std::size_t kLongestAuthority = 512;

bool has(std::string_view text, std::size_t index, std::uint16_t classes) {
  return index < text.size() && (classes_of(text[index]) & classes) != 0;
}

// Whether the bytes are a punctuation mark such as « or “: beyond ASCII anything else may be a letter.
bool is_mark(std::string_view text, std::size_t lead) {
  const auto first = static_cast<unsigned char>(privacy::at(text, lead));
  const auto second = static_cast<unsigned char>(privacy::at(text, lead + 1));
  return first == 0xc2 || ((first == 0xe2 || first == 0xe3) && second == 0x80);
}
// Whether the byte before `end` is the last of a mark.
bool is_behind_mark(std::string_view text, std::size_t end) {
  if (end < 2 || (static_cast<unsigned char>(text[end - 1]) & 0xc0) != 0x80) return false;
  return is_mark(text, end - 2) || (end > 2 && is_mark(text, end - 3) && text[end - 3] != '\xc2');
}

// icon@2x.png: a file name and not an address.
bool is_file_ending(std::string_view tld) {
  constexpr auto packed = [](std::string_view letters) {
    std::uint64_t value = 0;
    for (const char c : letters) value = value << 8 | static_cast<unsigned char>(to_lower(c));
    return value;
  };
  static constexpr std::array<std::uint64_t, 33> kEndings = [&] {
    std::array<std::uint64_t, 33> endings{};
    std::size_t count = 0;
    for (const std::string_view ending :
         {"png", "jpg",  "jpeg", "gif", "svg", "webp", "css", "json", "html", "htm",  "tsx",
          "jsx", "mjs",  "cjs",  "js",  "ts",  "yaml", "yml", "xml",  "txt",  "lock", "log",
          "map", "woff", "ico",  "pdf", "exe", "zip",  "deb", "rpm",  "tgz",  "whl",  "jar"})
      endings[count++] = packed(ending);
    std::sort(endings.begin(), endings.end());
    return endings;
  }();
  return tld.size() <= 4 && std::binary_search(kEndings.begin(), kEndings.end(), packed(tld));
}

// Where the host that begins at `begin` ends, if it has a dot and a top-level domain; else `begin`.
std::size_t host_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end - begin <= kLongestHost && has(text, end, kHost) && !is_mark(text, end)) ++end;
  while (end > begin && (text[end - 1] == '.' || text[end - 1] == '-')) --end;
  // A sentence may continue after a dot without a space: labels are taken while they have the form of a host's.
  std::size_t label = begin;
  std::size_t labels = 0;
  std::size_t good = begin;
  for (std::size_t i = begin; i <= end; ++i) {
    if (i < end && text[i] != '.') continue;
    if (i == label || i - label > 63 || text[label] == '-') break;
    ++labels;
    const std::string_view tld = text.substr(label, i - label);
    const auto are_letters = [&] {
      return std::all_of(tld.begin(), tld.end(),
                         [](char c) { return is_letter(c) || static_cast<unsigned char>(c) >= 0x80; });
    };
    if (labels > 1 && tld.size() >= 2 && (are_letters() || tld.starts_with("xn--")) && !is_file_ending(tld)) good = i;
    label = i + 1;
  }
  return good;
}

std::size_t scheme_begin(std::string_view text, std::size_t colon) {
  std::size_t begin = colon;
  while (begin > 0 && colon - begin < 16 && (is_word(text[begin - 1]) || text[begin - 1] == '+')) --begin;
  return begin;
}

std::size_t authority_end(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && end - begin < kLongestAuthority) {
    const char c = text[end];
    if (c == '/' || c == '?' || c == '#' || c == '"' || c == '\'' || c == '<' || c == '>' || c == '\\' ||
        static_cast<unsigned char>(c) <= ' ')
      break;
    ++end;
  }
  return end;
}

}  // namespace

std::optional<Finding> find_email(std::string_view text, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && at - begin < kLongestName && has(text, begin - 1, kMailName) && !is_behind_mark(text, begin))
    --begin;
  while (begin < at && (text[begin] == '.' || text[begin] == '-' || text[begin] == '\'' || text[begin] == '%')) ++begin;
  if (begin == at || text[at - 1] == '.') return std::nullopt;
  const std::size_t end = host_end(text, at + 1);
  if (end == at + 1) return std::nullopt;
  // git@github.com:owner/name
  if (text.substr(begin, at - begin) == "git" && (privacy::at(text, end) == ':' || privacy::at(text, end) == '/'))
    return std::nullopt;
  return Finding{Entity::kEmail, begin, end, 0.95, {}};
}

std::optional<Finding> find_url_credentials(std::string_view text, std::size_t at) {
  if (text.substr(at, 3) != "://" || scheme_begin(text, at) == at) return std::nullopt;
  const std::size_t begin = at + 3;
  const std::size_t end = authority_end(text, begin);
  const std::size_t sign = text.substr(begin, end - begin).rfind('@');
  if (sign == std::string_view::npos || sign == 0) return std::nullopt;
  const std::string_view user = text.substr(begin, sign);
  const std::size_t colon = user.find(':');
  if (colon == std::string_view::npos ? user.size() < 16 : colon + 1 == user.size()) return std::nullopt;
  // A placeholder for credentials, and not the credentials themselves.
  const char first = user[colon == std::string_view::npos ? 0 : colon + 1];
  if (first == '$' || first == '{' || first == '<' || first == '*') return std::nullopt;
  return Finding{Entity::kUrlCredentials, begin, begin + sign, 0.9, {}};
}

std::optional<Finding> find_url_host(std::string_view text, std::size_t at) {
  if (text.substr(at, 3) != "://") return std::nullopt;
  const std::size_t scheme = scheme_begin(text, at);
  if (at - scheme < 3) return std::nullopt;
  const std::size_t authority = at + 3;
  const std::size_t end = authority_end(text, authority);
  const std::size_t sign = text.substr(authority, end - authority).rfind('@');
  const std::size_t begin = sign == std::string_view::npos ? authority : authority + sign + 1;
  std::size_t host = host_end(text, begin);
  if (host == begin) return std::nullopt;
  if (privacy::at(text, host) == '/') ++host;
  return Finding{Entity::kDomainName, sign == std::string_view::npos ? scheme : begin, host, 0.6, {}};
}

}  // namespace glovebox::privacy
