#include "privacy/disguises/plain_form.h"

#include <algorithm>
#include <utility>

#include "privacy/byte_search.h"
#include "privacy/characters.h"
#include "privacy/disguises/look_alikes.h"

namespace glovebox::privacy {
namespace {

constexpr std::size_t kMostBackslashes = 16;  // JSON within JSON within JSON
constexpr int kMostPercents = 3;              // %252540

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  // 0: not a character
};

Character utf8_at(std::string_view text, std::size_t position) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(at(text, position + i)); };
  const auto follows = [&](std::size_t i) { return (byte(i) & 0xc0) == 0x80; };
  const unsigned first = byte(0);
  if (first >= 0xc2 && first < 0xe0 && follows(1)) return {(first & 31u) << 6 | (byte(1) & 63u), 2};
  if (first >= 0xe0 && first < 0xf0 && follows(1) && follows(2))
    return {(first & 15u) << 12 | (byte(1) & 63u) << 6 | (byte(2) & 63u), 3};
  if (first >= 0xf0 && first < 0xf5 && follows(1) && follows(2) && follows(3))
    return {(first & 7u) << 18 | (byte(1) & 63u) << 12 | (byte(2) & 63u) << 6 | (byte(3) & 63u), 4};
  return {};
}

void append_utf8(std::string& out, std::uint32_t code) {
  const auto add = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xc0 | code >> 6);
    add(0x80 | (code & 63));
  } else if (code < 0x10000) {
    add(0xe0 | code >> 12);
    add(0x80 | (code >> 6 & 63));
    add(0x80 | (code & 63));
  } else {
    add(0xf0 | code >> 18);
    add(0x80 | (code >> 12 & 63));
    add(0x80 | (code >> 6 & 63));
    add(0x80 | (code & 63));
  }
}

bool four_hex(std::string_view text, std::size_t position, std::uint32_t& code) {
  code = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    if (!is_hex(at(text, position + i))) return false;
    code = code << 4 | static_cast<std::uint32_t>(hex_value(text[position + i]));
  }
  return true;
}

std::size_t backslashes_at(std::string_view text, std::size_t position) {
  std::size_t count = 0;
  while (at(text, position + count) == '\\') ++count;
  return count;
}

constexpr std::uint32_t kZeroWidthSpace = 0x200b;  // stands for what is invisible

// \x40, as logs write what is not a letter: `digits` is where two hexadecimal ones may be.
Character byte_escape_at(std::string_view text, std::size_t digits, std::size_t size) {
  if (!is_hex(at(text, digits)) || !is_hex(at(text, digits + 1))) return {};
  const auto code = static_cast<std::uint32_t>(hex_value(text[digits]) << 4 | hex_value(text[digits + 1]));
  return code >= 0x20 && code < 0x7f ? Character{code, size + 2} : Character{};
}

// \u0040, \n and the like, with as many backslashes as texts are nested.
Character escape_at(std::string_view text, std::size_t position) {
  const std::size_t slashes = backslashes_at(text, position);
  if (slashes > kMostBackslashes) return {};
  const std::size_t letter = position + slashes;
  const std::size_t size = slashes + 1;
  switch (at(text, letter)) {
    case 'n': return {'\n', size};
    case 'r': return {'\r', size};
    case 't': return {'\t', size};
    case 'b': return {kZeroWidthSpace, size};
    case 'f': return {' ', size};
    case 'x': return byte_escape_at(text, letter + 1, size);
    case '"': return {'"', size};
    case '/': return {'/', size};
    case '_':
    case '-':
    case '.':
    case '@':
    case '+': return {static_cast<unsigned char>(text[letter]), size};  // of Markdown
    case 'u': break;
    default: return {};
  }
  std::uint32_t code = 0;
  if (!four_hex(text, letter + 1, code)) return {};
  if (code >= 0xd800 && code <= 0xdbff) {
    std::size_t next = letter + 5;
    std::size_t again = 0;
    while (again < kMostBackslashes && at(text, next) == '\\') {
      ++next;
      ++again;
    }
    std::uint32_t low = 0;
    if (again > 0 && at(text, next) == 'u' && four_hex(text, next + 1, low) && low >= 0xdc00 && low <= 0xdfff)
      return {0x10000 + ((code - 0xd800) << 10 | (low - 0xdc00)), next + 5 - position};
  }
  if (code >= 0xd800 && code <= 0xdfff) code = 0xfffd;
  return {code, letter + 5 - position};
}

struct PercentByte {
  int value = -1;
  std::size_t size = 0;
};

// %40; %2540 as well.
PercentByte percent_byte_at(std::string_view text, std::size_t position) {
  if (at(text, position) != '%') return {};
  std::size_t size = 1;
  for (int depth = 0; depth < kMostPercents; ++depth) {
    if (!is_hex(at(text, position + size)) || !is_hex(at(text, position + size + 1))) return {};
    const int value = hex_value(text[position + size]) << 4 | hex_value(text[position + size + 1]);
    size += 2;
    if (value != '%' || depth + 1 == kMostPercents || !is_hex(at(text, position + size)) ||
        !is_hex(at(text, position + size + 1)))
      return {value, size};
  }
  return {};
}

// One character, which may have up to four bytes of UTF-8.
Character percent_at(std::string_view text, std::size_t position) {
  const PercentByte first = percent_byte_at(text, position);
  if (first.value == '\n' || first.value == '\t' || (first.value >= 0x20 && first.value < 0x7f))
    return {static_cast<std::uint32_t>(first.value), first.size};
  if (first.value < 0xc2) return {};
  char bytes[4] = {static_cast<char>(first.value)};
  std::size_t count = 1;
  std::size_t size = first.size;
  const std::size_t wanted = first.value < 0xe0 ? 2 : first.value < 0xf0 ? 3 : 4;
  while (count < wanted) {
    const PercentByte next = percent_byte_at(text, position + size);
    if (next.value < 0x80 || next.value > 0xbf) return {};
    bytes[count++] = static_cast<char>(next.value);
    size += next.size;
  }
  const Character whole = utf8_at({bytes, count}, 0);
  return whole.size == count ? Character{whole.code, size} : Character{};
}

struct NamedSign {
  std::string_view name;
  std::uint32_t code;
};
constexpr NamedSign kNamedSigns[] = {
    {"quot;", '"'},     {"amp;", '&'},       {"lt;", '<'},       {"gt;", '>'},       {"apos;", '\''},
    {"nbsp;", ' '},     {"commat;", '@'},    {"period;", '.'},   {"plus;", '+'},     {"lowbar;", '_'},
    {"colon;", ':'},    {"sol;", '/'},       {"lpar;", '('},     {"rpar;", ')'},     {"equals;", '='},
    {"num;", '#'},      {"shy;", 0xad},      {"zwj;", 0x200d},   {"zwnj;", 0x200c},  {"hyphen;", 0x2010},
    {"dash;", 0x2010},  {"ndash;", 0x2013},  {"mdash;", 0x2014}, {"minus;", 0x2212}, {"ensp;", 0x2002},
    {"emsp;", 0x2003},  {"thinsp;", 0x2009}, {"ldquo;", 0x201c}, {"rdquo;", 0x201d}, {"bdquo;", 0x201e},
    {"lsquo;", 0x2018}, {"rsquo;", 0x2019},  {"laquo;", 0xab},   {"raquo;", 0xbb}};

// What follows an ampersand.
Character sign_at(std::string_view text, std::size_t position) {
  constexpr std::size_t kMostDigits = 7;
  if (at(text, position) != '#') {
    const char first = at(text, position);
    for (const auto& [name, code] : kNamedSigns)
      if (name[0] == first && text.substr(position, name.size()) == name) return {code, name.size()};
    return {};
  }
  const bool hex = (at(text, position + 1) | 0x20) == 'x';
  const std::size_t begin = position + (hex ? 2 : 1);
  std::size_t end = begin;
  std::uint32_t code = 0;
  while (end - begin < kMostDigits && (hex ? is_hex(at(text, end)) : is_digit(at(text, end))))
    code = code * (hex ? 16 : 10) + static_cast<std::uint32_t>(hex_value(text[end++]));
  // Browsers need no semicolon behind a number.
  const bool ended = at(text, end) == ';' || (!hex && end - begin >= 2 && !is_digit(at(text, end)));
  if (end == begin || !ended || code < 0x20 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return {};
  return {code, end + (at(text, end) == ';' ? 1 : 0) - position};
}

// &#64; and &#x40;, and the names of signs that addresses and numbers have.
Character entity_at(std::string_view text, std::size_t position) {
  const Character sign = sign_at(text, position + 1);
  return sign.size > 0 ? Character{sign.code, sign.size + 1} : Character{};
}

// HTML is quoted once more in feeds and in JSON: &amp;#64;, \u0026#64;.
Character with_sign(std::string_view text, std::size_t position, Character character) {
  if (character.code != '&' || character.size == 0) return character;
  const Character sign = sign_at(text, position + character.size);
  return sign.size > 0 ? Character{sign.code, character.size + sign.size} : character;
}

// Whether a dot in brackets at `position` is of "bob at example[.]com" or "example [.]com": there the brackets show
// that it is an address, and the rule for such addresses reads them.
bool is_of_spelled_mail(std::string_view text, std::size_t position) {
  if (before(text, position) == ' ') return true;
  bool letter = false;
  std::size_t host = position;
  while (host > 0 && (classes_of(text[host - 1]) & kHost) != 0) letter |= is_letter(text[--host]);
  return letter && host > 3 && text[host - 1] == ' ' && to_lower(text[host - 2]) == 't' &&
         to_lower(text[host - 3]) == 'a' && text[host - 4] == ' ';
}

// bob[@]example[.]com, 203.0.113[.]7: so that nothing makes it a link.
Character bracketed_at(std::string_view text, std::size_t position) {
  const char sign = at(text, position + 1);
  if ((sign != '.' && sign != '@') || at(text, position + 2) != ']') return {};
  if (sign == '.' && is_of_spelled_mail(text, position)) return {};
  return {static_cast<unsigned char>(sign), 3};
}

// <wbr>, which allows a line to break within an address. As a character that is invisible.
Character break_tag_at(std::string_view text, std::size_t position) {
  for (const std::string_view tag : {"<wbr>", "<wbr/>", "<wbr />", "<WBR>"})
    if (text.substr(position, tag.size()) == tag) return {kZeroWidthSpace, tag.size()};
  return {};
}

// A line feed, with or without a carriage return, each also as an escape of JSON.
std::size_t line_end_size(std::string_view text, std::size_t position) {
  const auto size_of = [&](std::size_t place, char wanted) -> std::size_t {
    if (at(text, place) == wanted) return 1;
    const Character escape = at(text, place) == '\\' ? escape_at(text, place) : Character{};
    return escape.code == static_cast<unsigned char>(wanted) ? escape.size : 0;
  };
  const std::size_t carriage_return = size_of(position, '\r');
  const std::size_t line_feed = size_of(position + carriage_return, '\n');
  return line_feed > 0 ? carriage_return + line_feed : 0;
}

std::size_t backslashes_before(std::string_view text, std::size_t position) {
  std::size_t count = 0;
  while (before(text, position - count) == '\\') ++count;
  return count;
}

// How many characters of the line are before `end`, up to `most`. An escape is one character. Where lines end in
// escapes of so many backslashes, a quote with fewer begins the text of which they are lines.
std::size_t characters_of_line(std::string_view text, std::size_t end, std::size_t backslashes, std::size_t most) {
  constexpr std::size_t kCode = 4;  // the digits of \u0040
  std::size_t count = 0;
  std::size_t position = end;
  while (position > 0 && count < most && text[position - 1] != '\n') {
    std::size_t begin = position - 1;
    std::uint32_t code = 0;
    if (begin > kCode && text[begin - kCode] == 'u' && text[begin - kCode - 1] == '\\' &&
        four_hex(text, begin - kCode + 1, code)) {
      if (code == '\n') break;
      begin -= kCode;
    }
    const std::size_t escaped = backslashes_before(text, begin);
    if (escaped > 0 && text[begin] == 'n') break;
    if (escaped < backslashes && text[begin] == '"') break;
    position = begin - escaped;
    ++count;
  }
  return count;
}

enum class Extent { kText, kValue };

// Mail in quoted-printable form breaks lines of 76 characters behind an equals sign.
Character soft_break_at(std::string_view text, std::size_t position, Extent extent) {
  constexpr std::size_t kLongestLine = 76;
  constexpr std::size_t kShortestLine = 73;  // =C3 is not divided
  const std::size_t size = line_end_size(text, position + 1);
  if (size == 0) return {};
  const std::size_t line = 1 + characters_of_line(text, position, backslashes_at(text, position + 1), kLongestLine);
  const bool full = line >= kShortestLine && line <= kLongestLine;
  return full || extent == Extent::kValue ? Character{kZeroWidthSpace, size + 1} : Character{};
}

constexpr char kEscape = '\x1b';

// How many bytes follow an escape character that colours a terminal's text: [1;31m. Longer numbers are no colours, and
// may be what a rule finds.
std::size_t colour_size(std::string_view text, std::size_t position) {
  constexpr std::size_t kLongest = 24;
  constexpr std::size_t kMostDigits = 3;
  if (at(text, position) != '[') return 0;
  std::size_t end = position + 1;
  std::size_t digits = 0;
  for (; end - position < kLongest; ++end) {
    const char c = at(text, end);
    if (!is_digit(c) && c != ';' && c != ':') break;
    digits = is_digit(c) ? digits + 1 : 0;
    if (digits > kMostDigits) return 0;
  }
  return is_letter(at(text, end)) ? end + 1 - position : 0;
}

// What is not a single byte of plain text.
Character character_at(std::string_view text, std::size_t position, Extent extent) {
  switch (text[position]) {
    case '\\': return with_sign(text, position, escape_at(text, position));
    case '%': return with_sign(text, position, percent_at(text, position));
    case '&': return with_sign(text, position, entity_at(text, position));
    case '[': return bracketed_at(text, position);
    case '=': return soft_break_at(text, position, extent);
    case '<': return break_tag_at(text, position);
    case kEscape: return {static_cast<unsigned char>(kEscape), 1};
    default: return utf8_at(text, position);
  }
}

bool is_digit_code(int code) {
  return code >= '0' && code <= '9';
}

bool is_digit_at(std::string_view text, std::size_t position) {
  if (position >= text.size()) return false;
  if (is_digit(text[position])) return true;
  const Character character = character_at(text, position, Extent::kText);
  return character.size > 0 && is_digit_code(read_as(character.code));
}

// The mark of a long vowel, which Japanese telephone numbers have in place of dashes.
constexpr std::uint32_t kLongVowel = 0x30fc;

// The next position that differs from its plain form.
struct Changed {
  std::size_t at = 0;
  std::size_t size = 0;    // 0: there is none
  std::uint32_t code = 0;  // its plain form
  bool shows = true;       // false: it is invisible
};

// From `from` on, where the change before ends; `last` is the code of that change.
Changed next_changed(std::string_view text, std::size_t from, std::uint32_t last, Extent extent) {
  std::size_t position = from;
  while (position < text.size()) {
    position = next_of<HighBytes::kFound, '\\', '%', '&', '[', '<', '=', kEscape>(text, position);
    if (position == text.size()) break;
    const char c = text[position];
    // Nested JSON is full of these.
    if (c == '\\' && at(text, position + 1) == '"') return {position, 2, '"', true};
    const Character character = character_at(text, position, extent);
    if (character.size == 0) {
      // All backslashes of a run or none: a position between two of them may be the middle of an escape.
      position += c == '\\' ? backslashes_at(text, position) : 1;
      continue;
    }
    if (character.code == static_cast<unsigned char>(kEscape)) {
      const std::size_t size = character.size + colour_size(text, position + character.size);
      return {position, size, ' ', size == character.size};
    }
    int read = read_as(character.code);
    if (character.code == kLongVowel) {
      const bool behind_digit = position == from ? is_digit_code(static_cast<int>(last)) : is_digit(text[position - 1]);
      if (behind_digit && is_digit_at(text, position + character.size)) read = '-';
    }
    if (read == kShown && static_cast<unsigned char>(c) >= 0x80) {
      position += character.size;
      continue;
    }
    return {position, character.size, read < 0 ? character.code : static_cast<std::uint32_t>(read), read != kNothing};
  }
  return {text.size(), 0, 0, false};
}

std::size_t utf8_size(std::uint32_t code) {
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
}

std::optional<std::string> plain_text(std::string_view text, Extent extent) {
  Changed changed = next_changed(text, 0, 0, extent);
  if (changed.size == 0) return std::nullopt;
  std::string plain;
  plain.reserve(text.size());
  std::size_t copied = 0;
  for (; changed.size > 0; changed = next_changed(text, copied, changed.code, extent)) {
    plain.append(text, copied, changed.at - copied);
    if (changed.shows) append_utf8(plain, changed.code);
    copied = changed.at + changed.size;
  }
  plain.append(text, copied);
  return plain;
}

}  // namespace

std::optional<PlainForm> PlainForm::of(std::string_view text) {
  auto plain = plain_text(text, Extent::kText);
  return plain ? std::optional(PlainForm(std::move(*plain))) : std::nullopt;
}

std::optional<PlainForm> PlainForm::of_value(std::string_view value) {
  auto plain = plain_text(value, Extent::kValue);
  return plain ? std::optional(PlainForm(std::move(*plain))) : std::nullopt;
}

void OriginalPlaces::look_ahead() {
  const Changed changed = next_changed(original_, place_, change_.code, Extent::kText);
  change_ = {changed.at, changed.size, changed.shows ? utf8_size(changed.code) : 0, changed.code};
  looked_ = true;
}

// Advances to the stretch that contains the position, or the change after it.
void OriginalPlaces::go_to(std::size_t plain) {
  if (!looked_) look_ahead();
  while (change_.size > 0 && plain >= plain_ + (change_.at - place_) + change_.became) {
    plain_ += change_.at - place_ + change_.became;
    place_ = change_.at + change_.size;
    look_ahead();
  }
}

std::size_t OriginalPlaces::begin_of(std::size_t begin) {
  go_to(begin);
  return std::min(place_ + (begin - plain_), change_.at);
}

std::size_t OriginalPlaces::end_of(std::size_t end) {
  if (end == 0) return 0;
  go_to(end - 1);
  const std::size_t place = place_ + (end - 1 - plain_);
  return place < change_.at ? place + 1 : change_.at + change_.size;
}

}  // namespace glovebox::privacy
