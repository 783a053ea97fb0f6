#include "base/text/json_scanner.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "base/characters/code_point.h"
#include "base/text/plain_bytes.h"

namespace glovebox::base {
namespace {

// The four digits from `at` on; negative when there are none.
int unit_at(std::string_view text, std::size_t at) {
  if (at > text.size() || text.size() - at < 4) return -1;
  int code = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return -1;
    code = code * 16 + digit;
  }
  return code;
}

bool is_finite(std::string_view number) {
  double value = 0;
  if (std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc()) return true;
  return std::isfinite(std::strtod(std::string(number).c_str(), nullptr));  // which is 0 for one that is too small
}

bool is_high_half(int unit) {
  return unit >= 0xd800 && unit <= 0xdbff;
}

bool is_low_half(int unit) {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

}  // namespace

const char* JsonScanner::finish() {
  skip_space();
  return at_ == end_ ? nullptr : "text after the value";
}

const char* JsonScanner::word(std::string_view expected) {
  if (static_cast<std::size_t>(end_ - at_) < expected.size() || std::string_view(at_, expected.size()) != expected)
    return "an unknown word";
  at_ += expected.size();
  return nullptr;
}

const char* JsonScanner::digits() {
  if (!is_digit(peek())) return "a number without digits";
  while (is_digit(peek())) ++at_;
  return nullptr;
}

const char* JsonScanner::number() {
  const char* const begin = at_;
  if (peek() == '-') ++at_;
  if (peek() == '0') {
    ++at_;
  } else if (const char* wrong = digits()) {
    return wrong;
  }
  if (peek() == '.') {
    ++at_;
    if (const char* wrong = digits()) return wrong;
  }
  const bool has_exponent = peek() == 'e' || peek() == 'E';
  if (has_exponent) {
    ++at_;
    if (peek() == '+' || peek() == '-') ++at_;
    if (const char* wrong = digits()) return wrong;
  }
  const bool may_be_infinite = has_exponent || at_ - begin > std::numeric_limits<double>::max_exponent10;
  if (!options_.finite_numbers || !may_be_infinite || is_finite(since(begin))) return nullptr;
  return "a number that is too large";
}

int JsonScanner::unit() {
  const int code = unit_at({at_, static_cast<std::size_t>(end_ - at_)}, 0);
  if (code >= 0) at_ += 4;
  return code;
}

const char* JsonScanner::escape() {
  if (at_ == end_) return "an unfinished string";
  const char c = *at_++;
  if (c != 'u') return std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos ? "an unknown escape" : nullptr;
  const int code = unit();
  if (code < 0) return "an unfinished escape";
  if (!is_high_half(code) && !is_low_half(code)) return nullptr;
  if (is_high_half(code) && end_ - at_ >= 6 && at_[0] == '\\' && at_[1] == 'u' && is_low_half(unit_at({at_, 6}, 2))) {
    at_ += 6;
    return nullptr;
  }
  return options_.half_characters ? nullptr : "half a surrogate pair";
}

const char* JsonScanner::string(std::string_view& content, bool& escaped) {
  const char* const begin = ++at_;
  for (;;) {
    at_ = plain_bytes_end(at_, end_);
    if (at_ == end_) return "an unfinished string";
    if (*at_ == '"') break;
    if (*at_ != '\\') return "a control character in a string";
    ++at_;
    escaped = true;
    if (const char* wrong = escape()) return wrong;
  }
  content = since(begin);
  ++at_;
  return nullptr;
}

const char* JsonScanner::separator(char close, bool& done) {
  skip_space();
  if (at_ == end_) return close == '}' ? "an unfinished object" : "an unfinished array";
  done = *at_ == close;
  if (!done && *at_ != ',') return "a comma was expected";
  ++at_;
  return nullptr;
}

bool JsonScanner::forget_unique_keys(std::size_t first) {
  constexpr std::ptrdiff_t kFew = 8;
  const auto begin = keys_.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = keys_.end();
  bool unique = true;
  if (end - begin <= kFew) {
    for (auto key = begin; key != end; ++key) unique = unique && std::find(begin, key, *key) == key;
  } else {
    // By sorting: who chooses the keys could choose ones that a hash table puts into one place.
    std::sort(begin, end);
    unique = std::adjacent_find(begin, end) == end;
  }
  keys_.erase(begin, end);
  return unique;
}

const char* JsonScanner::value(int depth) {
  if (depth > options_.max_depth) return "nested too deeply";
  switch (peek()) {
    case '{': {
      const std::size_t first_key = keys_.size();
      const char* wrong = object([&](std::string_view key, bool escaped) {
        if (options_.unique_keys) keys_.push_back(escaped ? unescaped_keys_.emplace_front(unescaped(key)) : key);
        return value(depth + 1);
      });
      if (wrong) return wrong;
      return forget_unique_keys(first_key) ? nullptr : "a repeated key";
    }
    case '[': return array([&] { return value(depth + 1); });
    case '"': {
      std::string_view content;
      bool escaped = false;
      return string(content, escaped);
    }
    case 't': return word("true");
    case 'f': return word("false");
    case 'n': return word("null");
    default: break;
  }
  return peek() == '-' || is_digit(peek()) ? number() : "a value was expected";
}

std::string unescaped(std::string_view content) {
  constexpr std::string_view kLetters = "bfnrt";
  constexpr std::string_view kMeant = "\b\f\n\r\t";
  std::string out;
  out.reserve(content.size());
  for (std::size_t from = 0;;) {
    const std::size_t backslash = std::min(content.find('\\', from), content.size());
    out.append(content, from, backslash - from);
    if (backslash + 1 >= content.size()) return out;
    const char c = content[backslash + 1];
    from = backslash + 2;
    if (c != 'u') {
      const std::size_t letter = kLetters.find(c);
      out += letter == std::string_view::npos ? c : kMeant[letter];
      continue;
    }
    const int code = unit_at(content, from);
    from = std::min(from + 4, content.size());
    const bool paired = is_high_half(code) && content.substr(from).starts_with("\\u");
    if (const int low = paired ? unit_at(content, from + 2) : -1; is_low_half(low)) {
      append_code_point(out, static_cast<char32_t>(0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00)));
      from += 6;
    } else {
      const bool whole = code >= 0 && !is_high_half(code) && !is_low_half(code);
      append_code_point(out, whole ? static_cast<char32_t>(code) : kReplacement);
    }
  }
}

std::size_t closing_quote(std::string_view text, std::size_t from) {
  std::size_t at = from + 1;
  while (at < text.size() && text[at] != '"') at += text[at] == '\\' ? 2 : 1;
  return std::min(at, text.size());
}

}  // namespace glovebox::base
