// A text as a reader sees it: without invisible characters, with one kind of digits, with the escapes of JSON and URLs
// decoded. Each position maps back to the bytes that it was made from.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace glovebox::privacy {

class PlainForm {
 public:
  // Nothing when the text is plain already, as most are.
  static std::optional<PlainForm> of(std::string_view text);
  // Of a value found in a text: without the text before it, the length of its first line says nothing.
  static std::optional<PlainForm> of_value(std::string_view value);

  std::string_view text() const { return text_; }

 private:
  explicit PlainForm(std::string text) : text_(std::move(text)) {}
  std::string text_;
};

// Maps positions of the plain form to the original. Queried from left to right: it goes through the original once more,
// instead of keeping a table several times the text's size.
class OriginalPlaces {
 public:
  explicit OriginalPlaces(std::string_view original) : original_(original) {}

  // The bytes of the original that [begin, end) of the plain text was made from.
  std::size_t begin_of(std::size_t begin);
  std::size_t end_of(std::size_t end);

 private:
  // The next change, after an unchanged stretch.
  struct Change {
    std::size_t at = 0;      // in the original
    std::size_t size = 0;    // 0: nothing is changed up to the end
    std::size_t became = 0;  // bytes
    std::uint32_t code = 0;
  };
  void look_ahead();
  void go_to(std::size_t plain);

  std::string_view original_;
  std::size_t plain_ = 0;  // where the stretch before `change_` begins
  std::size_t place_ = 0;  // the same position in the original
  Change change_;
  bool looked_ = false;
};

}  // namespace glovebox::privacy
