#include "privacy/rules/spelled_mail.h"

#include <algorithm>

#include "privacy/characters.h"
#include "privacy/rules/context_words.h"
#include "privacy/rules/folded_word.h"

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

// English, German, French, Spanish and Italian, Portuguese, Dutch, Polish, Danish.
constexpr std::string_view kDot = " dot ";  // between spaces after "at": "at any point in"
constexpr std::string_view kDots = " dot punkt point punto ponto punt kropka prik ";
constexpr std::string_view kSigns = " at \xc3\xa4t arroba arobase chiocciola ";
constexpr std::size_t kLongestDot = 6;

// A dot, also in brackets, or "dot" in brackets, or one of `words` between spaces or between underscores.
Dot dot_at(std::string_view text, std::size_t position, std::string_view words) {
  if (at(text, position) == '.') return {position + 1, false};
  std::size_t end = position;
  const char gap = at(text, end);
  if (gap == ' ' || gap == '_') ++end;
  const bool bracket = opens(at(text, end));
  if (bracket) ++end;
  if (!bracket && end == position) return {};
  if (bracket && at(text, end) == ' ') ++end;
  const std::size_t word = end;
  while (end - word < kLongestDot && is_letter(at(text, end))) ++end;
  if (bracket && end == word && at(text, end) == '.') {
    ++end;
  } else if (end == word || !is_one_of(bracket ? kDots : words, text.substr(word, end - word))) {
    return {};
  }
  if (bracket) {
    if (at(text, end) == ' ' && closes(at(text, end + 1))) ++end;
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
  bool known = false;     // its top-level domain is common
  bool provider = false;  // of mail for everybody: it is no place to be at
};

constexpr std::string_view kCommonDomains =
    " com org net edu gov mil info biz eu de fr uk es it nl be ch at pl pt br mx ar se no dk fi cz ru ua tr jp cn kr "
    "in au nz ca us ie gr hu ro il za io co ";
constexpr std::string_view kProviders =
    " gmail googlemail outlook hotmail yahoo icloud protonmail proton gmx aol zoho fastmail tutanota posteo mailbox "
    "yandex mail qq 163 126 naver t-online libero orange laposte wanadoo uol bol terra wp onet interia seznam ";

Host host_at(std::string_view text, std::size_t begin, std::string_view dots = kDot) {
  Host host;
  std::size_t label = begin;
  std::string_view last;
  std::string_view last_but_one;
  for (std::size_t labels = 0; labels < kMostLabels; ++labels) {
    std::size_t label_end = label;
    while (label_end - label < kLongestPart && is_of_label(at(text, label_end))) ++label_end;
    if (label_end == label) break;
    const std::string_view name = text.substr(label, label_end - label);
    if (labels > 0 && name.size() >= 2 && std::all_of(name.begin(), name.end(), is_letter)) {
      host.end = label_end;
      host.known = is_one_of(kCommonDomains, name);
      host.provider = is_one_of(kProviders, last == "co" || last == "com" ? last_but_one : last);
    }
    last_but_one = last;
    last = name;
    const Dot dot = dot_at(text, label_end, dots);
    if (dot.end == 0) break;
    host.spelled |= dot.spelled;
    label = dot.end;
  }
  // a @ b.it(), x @ y.de/z: a program, a path.
  constexpr std::string_view kGoesOn = "([/_=@";
  host.known &= host.end < text.size() ? kGoesOn.find(text[host.end]) == std::string_view::npos : host.end > 0;
  host.provider &= host.known;
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

// "contact us @ example.com" is no address, nor are "hosted at" and "lunch @".
bool may_be_name(std::string_view name) {
  constexpr std::string_view kOthers =
      " us me met it you up in on out off him her them now here there more online is are was be look find found see "
      "meet "
      "live join lunch "
      "dinner party meeting talk event tickets info details page site website home homepage work job jobs team docs "
      "documentation code source blog forum list news today tonight tomorrow available visit register sign login "
      "account "
      "engineer developer manager founder ceo cto cfo lead intern everyone people folks hiring apply download free ";
  if (name.size() < 2 || std::none_of(name.begin(), name.end(), is_letter)) return false;
  return !name.ends_with("ed") && !name.ends_with("ing") && !is_one_of(kOthers, name);
}

// b.miller, j_doe: a name in two parts, of which the last is no file's or program's.
bool is_in_parts(std::string_view name) {
  const std::size_t joint = name.find_last_of("._");
  if (joint == std::string_view::npos || joint == 0 || joint + 3 > name.size()) return false;
  const std::string_view last = name.substr(joint + 1);
  return std::all_of(last.begin(), last.end(), is_of_letter) && is_of_letter(name[joint - 1]) && !is_digit(name[0]) &&
         name.find('-') == std::string_view::npos &&
         !is_one_of(
             " js ts py rb go md txt html json yml yaml xml com org net io sh css exe java cpp rs php conf cfg toml ",
             last);
}

// "send it to bob at …", "mail bob at …": a word for sending mail, and nothing but that or "to" directly before it.
bool is_sent_mail(std::string_view text, std::size_t begin) {
  if (is_named_by_last_word(text, begin, Topic::kMailing)) return true;
  return is_named_by_last_word(text, begin, Topic::kTowards) && is_named_before(text, begin, Topic::kMailing);
}

bool is_in_place_of_address(std::string_view text, std::size_t begin, std::size_t name_end, const Host& host) {
  const std::string_view name = text.substr(begin, name_end - begin);
  return may_be_name(name) && (has_mark(name) || host.provider || is_named_by_last_word(text, begin, Topic::kMail) ||
                               is_sent_mail(text, begin) || is_alone(text, begin, host.end));
}

bool is_shouted(std::string_view text) {
  return std::none_of(text.begin(), text.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

}  // namespace

std::optional<Finding> find_spelled_email(std::string_view text, std::size_t at, std::size_t end) {
  if (text[at] == 't') at -= 2;  // of "ät"
  std::size_t name_end = at;
  std::size_t host_begin = end;
  if (before(text, name_end) == ' ' && name_end > 1 && opens(text[name_end - 2])) --name_end;
  if (privacy::at(text, host_begin) == ' ' && closes(privacy::at(text, host_begin + 1))) ++host_begin;
  const char left = before(text, name_end);
  const char right = privacy::at(text, host_begin);
  const bool bracket = opens(left) && closes(right);
  const bool foreign = end - at > 2;  // "arroba" stands for nothing else
  const bool joined = left == '_' && right == '_';
  if (!bracket && !joined && (left != ' ' || right != ' ')) return std::nullopt;
  --name_end;
  ++host_begin;
  if (bracket && before(text, name_end) == ' ') --name_end;
  if (bracket && privacy::at(text, host_begin) == ' ') ++host_begin;
  std::size_t begin = name_begin(text, name_end);
  const Host host = host_at(text, host_begin, bracket || foreign ? kDots : kDot);
  if (begin == name_end || host.end == 0) return std::nullopt;
  // bob dot miller at example dot com
  for (std::string_view joint : {" dot ", " (dot) ", "[dot]", " underscore ", " dash "})
    if (host.spelled && begin > joint.size() && text.substr(begin - joint.size(), joint.size()) == joint)
      begin = name_begin(text, begin - joint.size());
  const std::string_view name = text.substr(begin, name_end - begin);
  const auto is_safe = [&] {
    if (!host.known) return false;
    if (foreign || (before(text, begin) == '<' && privacy::at(text, host.end) == '>')) return true;
    if (joined) return may_be_name(name);
    if (is_value_of_mail(text, begin)) return true;
    if (is_shouted(text.substr(begin, host.end - begin))) return is_in_place_of_address(text, begin, name_end, host);
    // "meet Bob at example.com" names a place.
    const bool lower = name[0] >= 'a' && name[0] <= 'z';
    return may_be_name(name) && (host.provider || (lower && (is_in_parts(name) || is_sent_mail(text, begin))));
  };
  if (end - at == 1 && !(bracket && host.known)) return std::nullopt;  // bob(a)example.com
  if (!bracket && !(host.spelled && !joined && (host.known || may_be_name(name))) && !is_safe()) return std::nullopt;
  return Finding{Entity::kEmail, begin, host.end, 0.8, {}};
}

std::optional<Finding> find_spaced_email(std::string_view text, std::size_t at) {
  const bool bracket = opens(before(text, at)) && closes(privacy::at(text, at + 1));
  if (bracket) return find_spelled_email(text, at, at + 1);
  const std::size_t name_end = before(text, at) == ' ' ? at - 1 : at;
  const std::size_t begin = name_begin(text, name_end);
  const Host host = host_at(text, privacy::at(text, at + 1) == ' ' ? at + 2 : at + 1);
  if (begin == name_end || !host.known || !is_in_place_of_address(text, begin, name_end, host)) return std::nullopt;
  return Finding{Entity::kEmail, begin, host.end, 0.7, {}};
}

namespace {

// What Cloudflare makes of an address in a page: its first byte, then each of its letters combined with that byte.
std::string decoded_hexadecimal(std::string_view hex) {
  std::string address;
  if (hex.size() % 2 != 0 || hex.size() < 14 || !std::all_of(hex.begin(), hex.end(), is_hex)) return address;
  const auto byte = [&](std::size_t i) { return hex_value(hex[i]) << 4 | hex_value(hex[i + 1]); };
  for (std::size_t i = 2; i < hex.size(); i += 2) address += static_cast<char>(byte(i) ^ byte(0));
  return address.find('@') == std::string::npos ? std::string() : address;
}

}  // namespace

std::optional<Finding> find_hexadecimal_email(std::string_view text, std::size_t end) {
  constexpr std::size_t kLongest = 2 + 2 * 254;
  std::size_t begin = end;
  while (begin - end < 3 && std::string_view("=\"'# ").find(at(text, begin)) != std::string_view::npos) ++begin;
  std::size_t last = begin;
  while (last - begin < kLongest && is_hex(at(text, last))) ++last;
  if (begin == end || is_word(at(text, last)) || decoded_hexadecimal(text.substr(begin, last - begin)).empty())
    return std::nullopt;
  return Finding{Entity::kEmail, begin, last, 0.9, {}};
}

std::string plain_email(std::string_view address) {
  const bool has_at_sign = address.find('@') != std::string_view::npos;
  if (std::string decoded = decoded_hexadecimal(address); !decoded.empty()) return decoded;
  if (has_at_sign && address.find_first_of(" (") == std::string_view::npos) return std::string(address);
  // bob_at_work_at_example_dot_com: the last is the sign.
  const bool in_one_word = std::all_of(address.begin(), address.end(), is_of_name);
  constexpr std::string_view kJoinedAt = "_at_";
  std::size_t joined_at = in_one_word ? address.size() : 0;
  while (joined_at > 0 && !is_word_at(address, joined_at, kJoinedAt)) --joined_at;
  std::string plain;
  std::string word;
  bool has_sign = false;
  const auto finish = [&](char next) {
    const bool sign = !has_sign && !has_at_sign && !plain.empty() &&
                      (is_one_of(kSigns, word) || ((word == "a" || word == "A") && closes(next)));
    plain += sign ? "@" : !plain.empty() && is_one_of(has_sign ? kDots : kDot, word) ? "." : word;
    has_sign |= sign;
    word.clear();
  };
  for (std::size_t i = 0; i < address.size(); ++i) {
    const char c = address[i];
    const bool joint = in_one_word && (has_sign ? is_word_at(address, i, "_dot_") : i > 0 && i == joined_at);
    if (c == '@') {
      finish(c);
      plain += '@';
      has_sign = true;
    } else if (joint) {
      finish(c);
      plain += has_sign ? '.' : '@';
      i += has_sign ? 4 : 3;
      has_sign = true;
    } else if (is_of_name(c)) {
      word += c;
    } else {
      finish(c);
    }
  }
  finish('\0');
  return plain;
}

}  // namespace glovebox::privacy
