// FailureCode: what programs read as the `code` of a failed run or call. It is a word of errors.def or, where code,
// another gateway or an embedding program chose it, theirs. A literal that is not in the table does not compile.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "glovebox/error_word.h"

namespace glovebox {

class FailureCode {
 public:
  constexpr FailureCode() = default;                                         // none
  consteval FailureCode(const char* word) : FailureCode(ErrorWord(word)) {}  // NOLINT(google-explicit-constructor)
  constexpr FailureCode(ErrorWord word) : FailureCode(word.name()) {}        // NOLINT(google-explicit-constructor)

  // A word that someone else chose, which may be one of ours; nothing if it does not have the form of one: TOOL_ERROR,
  // ENOENT.
  static constexpr std::optional<FailureCode> read(std::string_view word) {
    const auto may_be_in_it = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_'; };
    if (word.empty() || word.size() > kMost || !std::all_of(word.begin(), word.end(), may_be_in_it))
      return std::nullopt;
    return FailureCode(word);
  }

  constexpr bool empty() const { return size_ == 0; }
  constexpr std::string_view name() const { return {name_, size_}; }
  std::string text() const { return std::string(name()); }
  // Nothing if it is someone else's.
  constexpr std::optional<ErrorWord> word() const { return ErrorWord::read(name()); }
  friend constexpr bool operator==(const FailureCode& a, const FailureCode& b) { return a.name() == b.name(); }

 private:
  static constexpr std::size_t kMost = 64;

  constexpr explicit FailureCode(std::string_view word) : size_(static_cast<std::uint8_t>(word.size())) {
    std::copy(word.begin(), word.end(), name_);
  }

  char name_[kMost] = {};
  std::uint8_t size_ = 0;
};

}  // namespace glovebox
