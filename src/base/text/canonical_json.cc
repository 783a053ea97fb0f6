#include "base/text/canonical_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "base/try.h"

namespace glovebox::base {
namespace {

// Deeper than any value that crosses to or from a guest.
constexpr int kMostDepth = 1100;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

Failure refused(const char* why) {
  return {ErrorCode::kInvalidArgument, std::string("not canonical JSON: ") + why};
}

// Shortest digits without a point, and where the point belongs: 0.DIGITS * 10^point.
struct Decimal {
  std::string digits;
  int point = 0;
};

Decimal decimal_of(double value) {
  char text[32];
  const auto written = std::to_chars(text, text + sizeof text, value, std::chars_format::scientific);
  const std::string_view all(text, static_cast<std::size_t>(written.ptr - text));
  const std::size_t e = all.find('e');
  Decimal decimal;
  for (const char c : all.substr(0, e)) {
    if (is_digit(c)) decimal.digits += c;
  }
  const char* exponent = text + e + (text[e + 1] == '+' ? 2 : 1);
  std::from_chars(exponent, written.ptr, decimal.point);
  ++decimal.point;
  while (decimal.digits.size() > 1 && decimal.digits.back() == '0') decimal.digits.pop_back();
  return decimal;
}

// ECMAScript's Number::toString.
void append_number(std::string& out, double value) {
  if (value == 0) {
    out += '0';
    return;
  }
  if (value < 0) out += '-';
  auto [digits, point] = decimal_of(std::fabs(value));
  const int count = static_cast<int>(digits.size());
  if (count <= point && point <= 21) {
    out.append(digits).append(static_cast<std::size_t>(point - count), '0');
  } else if (point > 0 && point <= 21) {
    out.append(digits, 0, static_cast<std::size_t>(point)).append(".").append(digits, static_cast<std::size_t>(point));
  } else if (point > -6 && point <= 0) {
    out.append("0.").append(static_cast<std::size_t>(-point), '0').append(digits);
  } else {
    out += digits[0];
    if (count > 1) out.append(".").append(digits, 1);
    out.append(point > 0 ? "e+" : "e-").append(std::to_string(std::abs(point - 1)));
  }
}

// Names are sorted by the units of UTF-16, where characters beyond the first plane come before U+E000.
std::u16string utf16_of(std::string_view utf8) {
  std::u16string units;
  for (std::size_t i = 0; i < utf8.size();) {
    const auto lead = static_cast<unsigned char>(utf8[i]);
    const std::size_t length = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    std::uint32_t point = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length && i + k < utf8.size(); ++k) {
      point = point << 6 | (static_cast<unsigned char>(utf8[i + k]) & 0x3fu);
    }
    i += length;
    if (point < 0x10000) {
      units += static_cast<char16_t>(point);
    } else {
      units += static_cast<char16_t>(0xd800 + ((point - 0x10000) >> 10));
      units += static_cast<char16_t>(0xdc00 + ((point - 0x10000) & 0x3ff));
    }
  }
  return units;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : left_(text) {}

  Result<std::string> whole() {
    std::string out;
    GLOVEBOX_TRY_VOID(value(out, 0));
    skip_space();
    if (!left_.empty()) return refused("there is text after it");
    return out;
  }

 private:
  void skip_space() {
    while (!left_.empty() && (left_[0] == ' ' || left_[0] == '\t' || left_[0] == '\n' || left_[0] == '\r')) {
      left_.remove_prefix(1);
    }
  }

  bool take(char c) {
    if (left_.empty() || left_[0] != c) return false;
    left_.remove_prefix(1);
    return true;
  }

  bool take_word(std::string_view word, std::string& out) {
    if (!left_.starts_with(word)) return false;
    left_.remove_prefix(word.size());
    out += word;
    return true;
  }

  Result<void> value(std::string& out, int depth) {
    if (depth > kMostDepth) return refused("it is nested too deeply");
    skip_space();
    if (take('{')) return object(out, depth);
    if (take('[')) return array(out, depth);
    if (take('"')) {
      const std::string text = GLOVEBOX_TRY(string());
      append_canonical_string(out, text);
      return {};
    }
    if (take_word("true", out) || take_word("false", out) || take_word("null", out)) return {};
    return number(out);
  }

  Result<void> object(std::string& out, int depth) {
    struct Member {
      std::u16string order;
      std::string name;
      std::string value;
    };
    std::vector<Member> members;
    skip_space();
    if (!take('}')) {
      do {
        skip_space();
        if (!take('"')) return refused("a member has no name");
        Member member;
        member.name = GLOVEBOX_TRY(string());
        member.order = utf16_of(member.name);
        skip_space();
        if (!take(':')) return refused("a member has no value");
        GLOVEBOX_TRY_VOID(value(member.value, depth + 1));
        members.push_back(std::move(member));
        skip_space();
      } while (take(','));
      if (!take('}')) return refused("an object is not closed");
    }
    std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.order < b.order; });
    out += '{';
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (i > 0 && members[i].name == members[i - 1].name) return refused("a key is repeated");
      if (i > 0) out += ',';
      append_canonical_string(out, members[i].name);
      out.append(":").append(members[i].value);
    }
    out += '}';
    return {};
  }

  Result<void> array(std::string& out, int depth) {
    out += '[';
    skip_space();
    if (take(']')) {
      out += ']';
      return {};
    }
    bool first = true;
    do {
      if (!std::exchange(first, false)) out += ',';
      GLOVEBOX_TRY_VOID(value(out, depth + 1));
      skip_space();
    } while (take(','));
    if (!take(']')) return refused("an array is not closed");
    out += ']';
    return {};
  }

  Result<void> number(std::string& out) {
    std::size_t end = 0;
    bool is_whole = true;
    while (end < left_.size() &&
           (is_digit(left_[end]) || std::string_view("+-.eE").find(left_[end]) != std::string_view::npos)) {
      is_whole = is_whole && (is_digit(left_[end]) || left_[end] == '-');
      ++end;
    }
    const std::string_view token = left_.substr(0, end);
    const std::string_view digits = token.starts_with('-') ? token.substr(1) : token;
    if (digits.empty() || !is_digit(digits[0]) || (digits.size() > 1 && digits[0] == '0' && is_digit(digits[1]))) {
      return refused("it contains something that is not a value");
    }
    double value = 0;
    const auto read = std::from_chars(token.data(), token.data() + token.size(), value);
    if (read.ec != std::errc() || read.ptr != token.data() + token.size() || token.back() == '.' ||
        !std::isfinite(value)) {
      return refused("it contains a number that a double cannot represent");
    }
    // A whole number is what it says, digit for digit, or it is not the same number.
    if (is_whole && digits.size() > 15) {
      char exact[400];
      const auto written = std::to_chars(exact, exact + sizeof exact, std::fabs(value), std::chars_format::fixed, 0);
      if (std::string_view(exact, static_cast<std::size_t>(written.ptr - exact)) != digits) {
        return refused("it contains a whole number that a double cannot represent");
      }
    }
    append_number(out, value);
    left_.remove_prefix(end);
    return {};
  }

  Result<std::uint32_t> unit() {
    std::uint32_t value = 0;
    if (left_.size() < 4) return refused("a string ends in an escape");
    const auto read = std::from_chars(left_.data(), left_.data() + 4, value, 16);
    if (read.ec != std::errc() || read.ptr != left_.data() + 4) return refused("a string contains an invalid escape");
    left_.remove_prefix(4);
    return value;
  }

  // After its first quote; the text without escapes.
  Result<std::string> string() {
    std::string text;
    while (true) {
      if (left_.empty()) return refused("a string is not closed");
      const char c = left_[0];
      left_.remove_prefix(1);
      if (c == '"') return text;
      if (static_cast<unsigned char>(c) < 0x20) return refused("a string contains a control character");
      if (c != '\\') {
        text += c;
        continue;
      }
      if (left_.empty()) return refused("a string is not closed");
      const char escape = left_[0];
      left_.remove_prefix(1);
      constexpr std::string_view kLetters = "\"\\/bfnrt";
      constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
      if (const auto letter = kLetters.find(escape); letter != std::string_view::npos) {
        text += kMeant[letter];
        continue;
      }
      if (escape != 'u') return refused("a string contains an invalid escape");
      std::uint32_t point = GLOVEBOX_TRY(unit());
      if (point >= 0xdc00 && point < 0xe000) return refused("half of a character");
      if (point >= 0xd800 && point < 0xdc00) {
        if (!take('\\') || !take('u')) return refused("half of a character");
        const std::uint32_t low = GLOVEBOX_TRY(unit());
        if (low < 0xdc00 || low >= 0xe000) return refused("half of a character");
        point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
      }
      append_utf8(text, point);
    }
  }

  static void append_utf8(std::string& out, std::uint32_t point) {
    const auto tail = [&](int shift) { out += static_cast<char>(0x80 | ((point >> shift) & 0x3f)); };
    if (point < 0x80) {
      out += static_cast<char>(point);
    } else if (point < 0x800) {
      out += static_cast<char>(0xc0 | (point >> 6));
      tail(0);
    } else if (point < 0x10000) {
      out += static_cast<char>(0xe0 | (point >> 12));
      tail(6), tail(0);
    } else {
      out += static_cast<char>(0xf0 | (point >> 18));
      tail(12), tail(6), tail(0);
    }
  }

  static void append_canonical_string(std::string& out, std::string_view text) {
    constexpr std::string_view kMeant = "\b\t\n\f\r\"\\";
    constexpr std::string_view kLetters = "btnfr\"\\";
    out += '"';
    for (const char c : text) {
      if (const auto known = kMeant.find(c); known != std::string_view::npos) {
        out.append("\\").append(1, kLetters[known]);
      } else if (static_cast<unsigned char>(c) < 0x20) {
        constexpr std::string_view kHex = "0123456789abcdef";
        out.append("\\u00").append(1, kHex[static_cast<unsigned char>(c) >> 4]).append(1, kHex[c & 15]);
      } else {
        out += c;
      }
    }
    out += '"';
  }

  std::string_view left_;
};

}  // namespace

Result<std::string> canonical_json(std::string_view json) {
  return Reader(json).whole();
}

}  // namespace glovebox::base
