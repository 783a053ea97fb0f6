// A text as a reader sees it: without characters that show nothing, with one kind of digits, with the escapes of JSON
// and URLs undone. Each place of it leads back to the bytes that it was made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::privacy {

class PlainForm {
 public:
  // Nothing when the text is plain already, which most are.
  static std::optional<PlainForm> of(std::string_view text);

  std::string_view text() const { return text_; }

 private:
  std::string text_;
};

// Where in the original a place of its plain form comes from. Asked from the left to the right: it goes through the
// original once more, instead of keeping a table that would be several times the text's size.
class OriginalPlaces {
 public:
  explicit OriginalPlaces(std::string_view original) : original_(original) {}

  // The bytes of the original that [begin, end) of the plain text was made of.
  std::size_t begin_of(std::size_t begin);
  std::size_t end_of(std::size_t end);

 private:
  // What was changed next, behind a stretch that was not.
  struct Change {
    std::size_t at = 0;      // in the original
    std::size_t size = 0;    // 0: nothing is changed up to the end
    std::size_t became = 0;  // bytes
  };
  void look_ahead();
  void go_to(std::size_t plain);

  std::string_view original_;
  std::size_t plain_ = 0;  // where the stretch before `change_` begins
  std::size_t place_ = 0;  // the same place of the original
  Change change_;
  bool looked_ = false;
};

}  // namespace glovebox::privacy
