// ErrorWord: one of the stable words of errors.def. A word that is not in that table does not compile.
// Where a guest or another gateway may have its own, a FailureCode holds either.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox {

class ErrorWord {
 public:
  enum class Area : std::uint8_t { kRun, kCall, kWorkflow, kCommand, kDiagnostic };

  // The literal is found in the table while this is compiled.
  consteval ErrorWord(const char* word) : row_(row_of(word)) {  // NOLINT(google-explicit-constructor)
    if (row_ == kRows) throw "this word is not in glovebox/errors.def";
  }
  // A word that came as text.
  static constexpr std::optional<ErrorWord> read(std::string_view word) {
    const std::size_t row = row_of(word);
    return row == kRows ? std::nullopt : std::optional(ErrorWord(row));
  }

  constexpr std::string_view name() const { return kTable[row_].name; }
  std::string text() const { return std::string(name()); }
  constexpr Area area() const { return kTable[row_].area; }
  constexpr int exit_code() const { return kTable[row_].exit_code; }
  constexpr std::string_view meaning() const { return kTable[row_].meaning; }
  friend constexpr bool operator==(ErrorWord a, ErrorWord b) { return a.row_ == b.row_; }

 private:
  struct Row {
    std::string_view name;
    Area area;
    std::string_view type;
    int exit_code;
    std::string_view meaning;
  };
  static constexpr Row kTable[] = {
#define GLOVEBOX_ERROR(word, area, type, exit, meaning) {#word, Area::k##area, type, exit, meaning},
#include "glovebox/errors.def"
#undef GLOVEBOX_ERROR
  };
  static constexpr std::size_t kRows = sizeof kTable / sizeof kTable[0];

  constexpr explicit ErrorWord(std::size_t row) : row_(row) {}
  static constexpr std::size_t row_of(std::string_view word) {
    std::size_t row = 0;
    while (row < kRows && kTable[row].name != word) ++row;
    return row;
  }

  std::size_t row_;
};

}  // namespace glovebox
