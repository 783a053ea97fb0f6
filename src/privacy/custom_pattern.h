// What the owner of a workspace additionally wants to be found: a regular expression, with a check of its matches.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "glovebox/result.h"
#include "privacy/finding.h"

namespace re2 {
class RE2;
}

namespace glovebox::privacy {

struct CustomPattern {
  std::string name;
  std::string pattern;   // RE2's syntax
  std::string validate;  // luhn, mod97 or verhoeff of the digits and letters of the match; may be empty
};

class PatternFinder {
 public:
  // Fails with the reason why a pattern cannot be used.
  static Result<PatternFinder> make(CustomPattern pattern);
  PatternFinder(PatternFinder&&) noexcept;
  ~PatternFinder();

  void find(std::string_view text, std::vector<Finding>& found) const;

 private:
  PatternFinder();
  // Findings point to the name, so it must not move with the finder.
  std::unique_ptr<const std::string> name_;
  std::unique_ptr<const re2::RE2> expression_;
  bool (*holds_)(std::string_view) = nullptr;
};

}  // namespace glovebox::privacy
