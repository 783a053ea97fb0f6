// A value with tags of HTML or marks of Markdown in its middle: bob<b>@</b>example.com, 4111 **1111** 1111 ….
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/finding.h"

namespace glovebox::privacy {

// A stretch of a text without the tags that may be within values.
class WithoutTags {
 public:
  // The next stretch with such tags, from `from` on.
  static std::optional<WithoutTags> next(std::string_view text, std::size_t from);

  std::string_view text() const { return text_; }
  std::size_t end() const { return end_; }  // in the text from which it was made: where to look for the next
  // The finding at its place in that text, if it spans a tag.
  std::optional<Finding> across(const Finding& finding) const;

 private:
  struct Cut {
    std::size_t begin;  // of the tag
    std::size_t end;
    std::size_t place;  // where it was, in the stretch
  };
  std::string text_;
  std::vector<Cut> cuts_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// Of a value that was found across tags.
std::string without_tags(std::string_view value);

}  // namespace glovebox::privacy
