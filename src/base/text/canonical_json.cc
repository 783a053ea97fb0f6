#include "base/text/canonical_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/characters/code_point.h"
#include "base/text/json_scanner.h"
#include "base/text/json_text.h"
#include "base/text/utf8.h"

namespace glovebox::base {
namespace {

// Deeper than any value that crosses to or from a guest.
constexpr int kMostDepth = 1100;

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
    each_utf16_unit(next_code_point(utf8, i), [&units](char16_t unit) { units += unit; });
  }
  return units;
}

// Appends the number that `token` is.
const char* append_canonical_number(std::string& out, std::string_view token) {
  double value = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), value);
  if (read.ec != std::errc() || !std::isfinite(value)) return "a number that a double does not hold";
  // A whole number is what it says, digit for digit, or it is not the same number.
  const std::string_view digits = token.starts_with('-') ? token.substr(1) : token;
  if (digits.size() > 15 && is_number(digits)) {
    char exact[400];
    const auto written = std::to_chars(exact, exact + sizeof exact, std::fabs(value), std::chars_format::fixed, 0);
    if (std::string_view(exact, static_cast<std::size_t>(written.ptr - exact)) != digits)
      return "a whole number that a double does not hold";
  }
  append_number(out, value);
  return nullptr;
}

// Rewrites the value at the scanner. Like the scanner's functions it returns null, or what is wrong.
const char* append_canonical(std::string& out, JsonScanner& scanner, int depth) {
  struct Member {
    std::u16string order;
    std::string name;
    std::string value;
  };
  const char* const begin = scanner.at();
  switch (scanner.peek()) {
    case '{': {
      std::vector<Member> members;
      if (depth == kMostDepth) return "nested too deeply";
      const char* wrong = scanner.object([&](std::string_view key, bool) {
        Member& member = members.emplace_back();
        member.name = unescaped(key);
        member.order = utf16_of(member.name);
        std::string value;  // the next member may move this one
        const char* bad = append_canonical(value, scanner, depth + 1);
        members.back().value = std::move(value);
        return bad;
      });
      if (wrong) return wrong;
      std::sort(members.begin(), members.end(), [](const Member& a, const Member& b) { return a.order < b.order; });
      out += '{';
      for (std::size_t i = 0; i < members.size(); ++i) {
        if (i > 0 && members[i].name == members[i - 1].name) return "a repeated key";
        if (i > 0) out += ',';
        append_canonical_string(out, members[i].name);
        out.append(":").append(members[i].value);
      }
      out += '}';
      return nullptr;
    }
    case '[': {
      if (depth == kMostDepth) return "nested too deeply";
      out += '[';
      const std::size_t first = out.size();
      const char* wrong = scanner.array([&] {
        if (out.size() > first) out += ',';
        return append_canonical(out, scanner, depth + 1);
      });
      out += ']';
      return wrong;
    }
    case '"': {
      std::string_view content;
      bool escaped = false;
      if (const char* wrong = scanner.string(content, escaped)) return wrong;
      append_canonical_string(out, unescaped(content));
      return nullptr;
    }
    default: break;
  }
  if (const char* wrong = scanner.value(1)) return wrong;
  const std::string_view token = scanner.since(begin);
  if (token[0] == '-' || is_digit(token[0])) return append_canonical_number(out, token);
  out += token;
  return nullptr;
}

}  // namespace

Result<std::string> canonical_json(std::string_view json) {
  if (!is_utf8(json)) return refused("not UTF-8");
  JsonScanner scanner(json, {.max_depth = 1});  // of what it reads whole, which are scalars
  std::string out;
  scanner.skip_space();
  const char* wrong = append_canonical(out, scanner, 1);
  if (!wrong) wrong = scanner.finish();
  if (wrong) return refused(wrong);
  return out;
}

}  // namespace glovebox::base
