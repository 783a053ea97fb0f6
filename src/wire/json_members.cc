#include "wire/json_members.h"

#include <charconv>

namespace glovebox::wire {
namespace {

// No object of our protocol has as many. Each key is compared with all before it, so a hostile guest must not choose
// their number.
constexpr std::size_t kMaxMembers = 64;

struct Cursor {
  std::string_view text;
  std::size_t at = 0;

  bool done() const { return at >= text.size(); }
  char peek() const { return done() ? '\0' : text[at]; }
  void skip_space() {
    while (!done() && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t')) ++at;
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at;
    return true;
  }
  // Moves the cursor past a string that starts here.
  bool skip_string() {
    if (!take('"')) return false;
    // A quote ends the string unless an odd number of backslashes precedes it. Searching for quotes alone lets the C
    // library compare many bytes at once.
    const std::size_t start = at;
    while (true) {
      const std::size_t quote = text.find('"', at);
      if (quote == std::string_view::npos) return false;
      at = quote + 1;
      std::size_t before = quote;
      while (before > start && text[before - 1] == '\\') --before;
      if ((quote - before) % 2 == 0) return true;
    }
  }
  bool skip_value() {
    int depth = 0;
    while (!done()) {
      const char c = peek();
      if (c == '"') {
        if (!skip_string()) return false;
      } else if (c == '{' || c == '[') {
        ++depth;
        ++at;
      } else if (c == '}' || c == ']') {
        if (depth == 0) return true;  // the end of the enclosing object; the value was a bare word
        --depth;
        ++at;
      } else if (depth == 0 && (c == ',' || c == ' ' || c == '\n' || c == '\r' || c == '\t')) {
        return true;
      } else {
        ++at;
        continue;
      }
      if (depth == 0) return true;
    }
    return depth == 0;
  }
};

}  // namespace

std::optional<JsonMembers> JsonMembers::split(std::string_view text) {
  Cursor cursor{text};
  JsonMembers out;
  cursor.skip_space();
  if (!cursor.take('{')) return std::nullopt;
  cursor.skip_space();
  if (cursor.take('}')) return out;
  while (true) {
    cursor.skip_space();
    const std::size_t key_from = cursor.at;
    if (!cursor.skip_string() || cursor.at > text.size()) return std::nullopt;
    const std::string_view key = text.substr(key_from + 1, cursor.at - key_from - 2);
    if (out.members_.size() == kMaxMembers) return std::nullopt;
    if (key.find('\\') != std::string_view::npos || out.has(key)) return std::nullopt;
    cursor.skip_space();
    if (!cursor.take(':')) return std::nullopt;
    cursor.skip_space();
    const std::size_t value_from = cursor.at;
    if (!cursor.skip_value() || cursor.at > text.size() || cursor.at == value_from) return std::nullopt;
    out.members_.emplace_back(key, text.substr(value_from, cursor.at - value_from));
    cursor.skip_space();
    if (cursor.take(',')) continue;
    if (cursor.take('}')) return out;
    return std::nullopt;
  }
}

std::string_view JsonMembers::raw(std::string_view key) const {
  for (const auto& [name, value] : members_) {
    if (name == key) return value;
  }
  return {};
}

std::optional<std::string_view> JsonMembers::word(std::string_view key) const {
  std::string_view value = raw(key);
  if (value.size() < 2 || value.front() != '"' || value.find('\\') != std::string_view::npos) return std::nullopt;
  value.remove_prefix(1);
  value.remove_suffix(1);
  return value;
}

std::optional<long long> JsonMembers::integer(std::string_view key) const {
  const std::string_view value = raw(key);
  long long number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (value.empty() || error != std::errc() || end != value.data() + value.size()) return std::nullopt;
  return number;
}

}  // namespace glovebox::wire
