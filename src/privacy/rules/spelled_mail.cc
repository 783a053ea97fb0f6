#include "privacy/rules/spelled_mail.h"

#include <algorithm>

#include "privacy/characters.h"
#include "privacy/rules/context_words.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kLongestPart = 64;  // RFC 5321
constexpr std::size_t kMostLabels = 8;

bool opens(char c) {
  return c == '(' || c == '[' || c == '{' || c == '<';
}
bool closes(char c) {
  return c == ')' || c == ']' || c == '}' || c == '>';
}
bool is_inner_byte(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}
// Of UTF-8: of a letter with an accent, but not of a quotation mark.
bool is_of_letter(char c) {
  return is_word(c) || is_inner_byte(c) ||
         (static_cast<unsigned char>(c) >= 0xc3 && static_cast<unsigned char>(c) <= 0xdb);
}
bool is_of_name(char c) {
  return is_of_letter(c) || c == '.' || c == '_' || c == '-' || c == '+' || c == '\'' || c == '!';
}
bool is_of_label(char c) {
  return is_of_letter(c) || c == '-';
}

struct Dot {
  std::size_t end = 0;  // 0: there is none
  bool spelled = false;
};

// A dot, also in brackets, or "dot" in brackets, between spaces or between underscores.
Dot dot_at(std::string_view text, std::size_t position) {
  if (at(text, position) == '.') return {position + 1, false};
  std::size_t end = position;
  const char gap = at(text, end);
  if (gap == ' ' || gap == '_') ++end;
  const bool bracket = opens(at(text, end));
  if (bracket) ++end;
  if (bracket && at(text, end) == '.' && closes(at(text, end + 1))) return {end + 2, true};
  if (!bracket && end == position) return {};
  for (const char letter : std::string_view("dot"))
    if (to_lower(at(text, end++)) != letter) return {};
  if (bracket) {
    if (!closes(at(text, end++))) return {};
    if (at(text, end) == ' ') ++end;
  } else if (at(text, end++) != gap) {
    return {};
  }
  return {end, true};
}

bool is_word_at(std::string_view text, std::size_t position, std::string_view word) {
  for (const char letter : word)
    if (to_lower(at(text, position++)) != letter) return false;
  return true;
}

// Where a name that ends at `end` begins; `end` if there is none.
std::size_t name_begin(std::string_view text, std::size_t end) {
  std::size_t begin = end;
  while (begin > 0 && end - begin < kLongestPart && is_of_name(text[begin - 1])) --begin;
  while (begin < end && (!is_of_letter(text[begin]) || is_inner_byte(text[begin]))) ++begin;
  return begin < end && is_of_letter(text[end - 1]) ? begin : end;
}

struct Host {
  std::size_t end = 0;  // 0: there is none
  bool spelled = false;
  bool known = false;  // its top-level domain is common
};

bool is_common_domain(std::string_view label) {
  constexpr std::string_view kCommon =
      " com org net edu gov mil info biz eu de fr uk es it nl be ch at pl pt br mx ar se no dk fi cz ru ua tr jp cn kr "
      "in au nz ca us ie gr hu ro il za io co ";
  if (label.size() > 4) return false;
  std::string word = " ";
  for (const char c : label) word += to_lower(c);
  return kCommon.find(word + ' ') != std::string_view::npos;
}

Host host_at(std::string_view text, std::size_t begin) {
  Host host;
  std::size_t label = begin;
  for (std::size_t labels = 0; labels < kMostLabels; ++labels) {
    std::size_t label_end = label;
    while (label_end - label < kLongestPart && is_of_label(at(text, label_end))) ++label_end;
    if (label_end == label) break;
    const std::string_view name = text.substr(label, label_end - label);
    if (labels > 0 && name.size() >= 2 && std::all_of(name.begin(), name.end(), is_letter)) {
      host.end = label_end;
      host.known = is_common_domain(name);
    }
    const Dot dot = dot_at(text, label_end);
    if (dot.end == 0) break;
    host.spelled |= dot.spelled;
    label = dot.end;
  }
  // a @ b.it(), x @ y.de/z: a program, a path.
  constexpr std::string_view kGoesOn = "([/_=@";
  host.known &= host.end < text.size() ? kGoesOn.find(text[host.end]) == std::string_view::npos : host.end > 0;
  return host;
}

bool has_mark(std::string_view name) {
  const bool letter = std::any_of(name.begin(), name.end(), is_letter);
  return letter &&
         std::any_of(name.begin(), name.end(), [](char c) { return is_digit(c) || (c < 'A' && c > ' ') || c == '_'; });
}

// "mail: bob …": a colon or an equals sign after a word for mail.
bool is_value_of_mail(std::string_view text, std::size_t begin) {
  std::size_t sign = begin;
  while (sign > 0 && begin - sign < 3 && (text[sign - 1] == ' ' || text[sign - 1] == '"')) --sign;
  return (before(text, sign) == ':' || before(text, sign) == '=') && is_named_by_last_word(text, begin, Topic::kMail);
}

// Fills a line, a cell or a string.
bool is_alone(std::string_view text, std::size_t begin, std::size_t end) {
  constexpr std::string_view kOpens = "\n\t\"'<>(:=,;|";
  constexpr std::string_view kCloses = "\n\r\t\"'<>),;|";
  while (before(text, begin) == ' ') --begin;
  return (begin == 0 || kOpens.find(text[begin - 1]) != std::string_view::npos) &&
         (end == text.size() || kCloses.find(text[end]) != std::string_view::npos);
}

// "contact us @ example.com" is no address.
bool may_be_name(std::string_view name) {
  constexpr std::string_view kOthers = " us me it you him her them now here more online ";
  if (name.size() < 2 || std::none_of(name.begin(), name.end(), is_letter)) return false;
  if (name.size() > 6) return true;
  std::string word = " ";
  for (const char c : name) word += to_lower(c);
  return kOthers.find(word + ' ') == std::string_view::npos;
}

bool is_in_place_of_address(std::string_view text, std::size_t begin, std::size_t name_end, std::size_t end) {
  const std::string_view name = text.substr(begin, name_end - begin);
  return may_be_name(name) &&
         (has_mark(name) || is_named_by_last_word(text, begin, Topic::kMail) || is_alone(text, begin, end));
}

bool is_shouted(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::optional<Finding> find_spelled_email(std::string_view text, std::size_t at) {
  std::size_t name_end = at;
  std::size_t host_begin = at + 2;
  const char left = before(text, at);
  const char right = privacy::at(text, host_begin);
  const bool bracket = opens(left) && closes(right);
  const bool joined = left == '_' && right == '_';
  if (!bracket && !joined && (left != ' ' || right != ' ')) return std::nullopt;
  --name_end;
  ++host_begin;
  if (bracket && before(text, name_end) == ' ') --name_end;
  if (bracket && privacy::at(text, host_begin) == ' ') ++host_begin;
  const std::size_t begin = name_begin(text, name_end);
  const Host host = host_at(text, host_begin);
  if (begin == name_end || host.end == 0) return std::nullopt;
  const auto is_safe = [&] {
    if (!host.known) return false;
    if (joined) return may_be_name(text.substr(begin, name_end - begin));
    if (is_value_of_mail(text, begin)) return true;
    return is_shouted(text.substr(begin, host.end - begin)) && is_in_place_of_address(text, begin, name_end, host.end);
  };
  // "meet Bob at example.com" names a place.
  if (!bracket && !(host.spelled && !joined) && !is_safe()) return std::nullopt;
  return Finding{Entity::kEmail, begin, host.end, 0.8, {}};
}

std::optional<Finding> find_spaced_email(std::string_view text, std::size_t at) {
  const std::size_t name_end = before(text, at) == ' ' ? at - 1 : at;
  const std::size_t begin = name_begin(text, name_end);
  const Host host = host_at(text, privacy::at(text, at + 1) == ' ' ? at + 2 : at + 1);
  if (begin == name_end || !host.known || !is_in_place_of_address(text, begin, name_end, host.end)) return std::nullopt;
  return Finding{Entity::kEmail, begin, host.end, 0.7, {}};
}

std::string plain_email(std::string_view address) {
  const bool has_at_sign = address.find('@') != std::string_view::npos;
  if (has_at_sign && address.find(' ') == std::string_view::npos) return std::string(address);
  // bob_at_work_at_example_dot_com: the last is the sign.
  const bool in_one_word = std::all_of(address.begin(), address.end(), is_of_name);
  constexpr std::string_view kJoinedAt = "_at_";
  std::size_t joined_at = in_one_word ? address.size() : 0;
  while (joined_at > 0 && !is_word_at(address, joined_at, kJoinedAt)) --joined_at;
  std::string plain;
  std::string word;
  bool has_sign = false;
  const auto finish = [&] {
    std::string lower = word;
    std::transform(lower.begin(), lower.end(), lower.begin(), to_lower);
    const bool sign = lower == "at" && !has_sign && !has_at_sign && !plain.empty();
    has_sign |= sign;
    plain += sign ? "@" : lower == "dot" && has_sign ? "." : word;
    word.clear();
  };
  for (std::size_t i = 0; i < address.size(); ++i) {
    const char c = address[i];
    const bool joint = in_one_word && (has_sign ? is_word_at(address, i, "_dot_") : i > 0 && i == joined_at);
    if (c == '@') {
      finish();
      plain += '@';
      has_sign = true;
    } else if (joint) {
      finish();
      plain += has_sign ? '.' : '@';
      i += has_sign ? 4 : 3;
      has_sign = true;
    } else if (is_of_name(c)) {
      word += c;
    } else {
      finish();
    }
  }
  finish();
  return plain;
}

}  // namespace glovebox::privacy
