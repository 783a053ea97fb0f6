// The one reader of JSON text (RFC 8259): strict, bounded in depth, and it keeps nothing. Slices, members of frames and
// the canonical form are made with it.
#pragma once

#include <cstddef>
#include <forward_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/characters/ascii.h"

namespace glovebox::base {

struct SliceOptions {
  int max_depth = 64;
  // Also refuse a repeated key in any nested object. Parsers differ in which of the two they take, so text that is
  // judged here and used elsewhere must not have any. The outermost object never may.
  bool unique_keys = false;
  // Also refuse a number that is too large for a double: some readers fail, others take it for infinity.
  bool finite_numbers = false;
  // Accept half a surrogate pair. It encodes no character, but code that cuts a text in JavaScript may write one.
  bool half_characters = false;
};

// Moves through a text that must outlive it. Every function returns null, or what is wrong with the text at this place.
// It does not check UTF-8, which simdjson does faster for a whole text.
class JsonScanner {
 public:
  JsonScanner(std::string_view text, SliceOptions options)
      : at_(text.data()), end_(text.data() + text.size()), options_(options) {}

  // The value that begins here; `depth` counts the values around it, from 1.
  const char* value(int depth);
  const char* number();
  // `content` becomes the text between the quotes.
  const char* string(std::string_view& content, bool& escaped);
  // Calls `member(key, escaped)` at the value of each member. It must move past that value.
  template <typename Member>
  const char* object(Member member);
  // Calls `item()` at each item. It must move past it.
  template <typename Item>
  const char* array(Item item);
  // Nothing but spaces follows.
  const char* finish();

  void skip_space() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) ++at_;
  }
  // The next character; null at the end.
  char peek() const { return at_ == end_ ? '\0' : *at_; }
  const char* at() const { return at_; }
  // From an earlier place to this one.
  std::string_view since(const char* begin) const { return {begin, static_cast<std::size_t>(at_ - begin)}; }

 private:
  const char* word(std::string_view expected);
  const char* digits();
  const char* escape();
  // Four hexadecimal digits; negative when there are none.
  int unit();
  // Past a comma, or past `close` after which `done` is true.
  const char* separator(char close, bool& done);

  // Whether no two of the keys from `first` on are equal; forgets them.
  bool forget_unique_keys(std::size_t first);

  const char* at_;
  const char* end_;
  SliceOptions options_;
  std::vector<std::string_view> keys_;  // of the objects around this place, if they have to be unique
  std::forward_list<std::string> unescaped_keys_;
};

// What the content of a JSON string says. `content` must be well-formed; half a character becomes U+FFFD.
std::string unescaped(std::string_view content);

// The quote that ends the string which begins at `from`, or the size of a text in which it does not end. For text that
// need not be JSON.
std::size_t closing_quote(std::string_view text, std::size_t from);

template <typename Member>
const char* JsonScanner::object(Member member) {
  if (peek() != '{') return "an object was expected";
  ++at_;
  skip_space();
  bool done = peek() == '}';
  if (done) ++at_;
  while (!done) {
    skip_space();
    std::string_view key;
    bool escaped = false;
    if (peek() != '"') return "a key was expected";
    if (const char* wrong = string(key, escaped)) return wrong;
    skip_space();
    if (peek() != ':') return "a colon was expected";
    ++at_;
    skip_space();
    if (const char* wrong = member(key, escaped)) return wrong;
    if (const char* wrong = separator('}', done)) return wrong;
  }
  return nullptr;
}

template <typename Item>
const char* JsonScanner::array(Item item) {
  if (peek() != '[') return "an array was expected";
  ++at_;
  skip_space();
  bool done = peek() == ']';
  if (done) ++at_;
  while (!done) {
    skip_space();
    if (const char* wrong = item()) return wrong;
    if (const char* wrong = separator(']', done)) return wrong;
  }
  return nullptr;
}

}  // namespace glovebox::base
