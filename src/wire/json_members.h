// The members of one JSON object as slices of its text, so that a value can be passed on as the bytes it came in.
#pragma once

#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace glovebox::wire {

class JsonMembers {
 public:
  // `text` must be well-formed JSON: a gateway validates a guest's frame first, a guest trusts its gateway. For text
  // that is not an object, has a repeated key, an escaped one or more than 64, the result is empty. Never reads outside
  // `text`.
  static std::optional<JsonMembers> split(std::string_view text);

  // The raw text of a member's value; empty when there is none.
  std::string_view raw(std::string_view key) const;
  bool has(std::string_view key) const { return !raw(key).empty(); }

  // The content of a string value that needs no unescaping, such as a word of our own vocabulary.
  std::optional<std::string_view> word(std::string_view key) const;
  std::optional<long long> integer(std::string_view key) const;

  const std::vector<std::pair<std::string_view, std::string_view>>& all() const { return members_; }

 private:
  std::vector<std::pair<std::string_view, std::string_view>> members_;
};

}  // namespace glovebox::wire
