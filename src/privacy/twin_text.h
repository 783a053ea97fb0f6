// An answer gives its result twice, as text and as JSON. Where both are the same, the JSON is examined and the text is
// made from what is left of it: half of the work, and none of it on escaped quotes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::privacy {

struct TwinText {
  std::size_t begin = 0;  // of the text, within its quotes
  std::size_t end = 0;
  std::size_t json_begin = 0;  // of the same as JSON, after it
  std::size_t json_end = 0;

  // Nothing where the text is short, or says anything else.
  static std::optional<TwinText> of(std::string_view answer);

  // Without the text; positions of the JSON move by its size.
  std::string without_text(std::string_view answer) const;
  std::size_t json_begin_without_text() const { return json_begin - (end - begin); }
  std::size_t json_end_without_text() const { return json_end - (end - begin); }
};

}  // namespace glovebox::privacy
