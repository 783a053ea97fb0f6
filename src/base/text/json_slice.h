// JSON text checked and cut, without a tree: a 10 MB tool result stays the bytes it came in.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text/json_scanner.h"
#include "glovebox/result.h"

namespace glovebox::base {

// Slices of one text. Each takes more room than the shortest value does in the text.
inline constexpr std::size_t kMostSlices = 1'000'000;

// The members of one JSON object as slices of its text.
class JsonSlices {
 public:
  // Checks all of `text`: grammar, UTF-8, depth. Keys of the outermost object must be plain (no escapes) and unique;
  // fails where there are more than `most`.
  static Result<JsonSlices> of(std::string_view text, SliceOptions options = {}, std::size_t most = kMostSlices);

  // The raw text of a value; empty when there is none.
  std::string_view raw(std::string_view key) const;
  // The content of a value that is a string; else empty.
  std::string text(std::string_view key) const;
  bool has(std::string_view key) const { return !raw(key).empty(); }

  const std::vector<std::pair<std::string_view, std::string_view>>& all() const { return members_; }

 private:
  std::vector<std::pair<std::string_view, std::string_view>> members_;
};

// The items of a JSON array as slices of its text; fails where there are more than `most`.
Result<std::vector<std::string_view>> slice_array(std::string_view text, SliceOptions options = {},
                                                  std::size_t most = kMostSlices);

// Whether `text` is one well-formed JSON value.
Result<void> check_json(std::string_view text, SliceOptions options = {});

// The content of a JSON string; nothing when `raw` is no string. `raw` must be well-formed JSON.
Result<std::string> unquote(std::string_view raw);

}  // namespace glovebox::base
