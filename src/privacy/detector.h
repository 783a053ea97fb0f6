// Finds private data in a text. One pass: bytes that can begin or mark something are examined more closely, within a
// bounded distance in both directions, so that time is linear in the length of the text, whatever it contains.
#pragma once

#include <bitset>
#include <string>
#include <string_view>
#include <vector>

#include "privacy/custom_pattern.h"
#include "privacy/finding.h"

namespace glovebox::privacy {

using EntitySet = std::bitset<kEntityCount>;
EntitySet every_entity();
// All except hosts of URLs, which are rarely private.
EntitySet usual_entities();

struct DetectorSettings {
  EntitySet entities = usual_entities();  // secrets are always included
  std::vector<std::string> allow;         // values that are not private; * matches anything
  std::vector<CustomPattern> custom;
};

class Detector {
 public:
  Detector();  // with the usual settings
  static Result<Detector> make(DetectorSettings settings);

  // In the order of the text; none overlaps another.
  std::vector<Finding> scan(std::string_view text) const;

 private:
  enum class Lines { kOne, kMany };  // whether values that span two lines are searched for
  // Returns whether the text may have tags of HTML.
  bool scan_plain(std::string_view text, int depth, Lines lines, std::vector<Finding>& found) const;
  void scan_across(std::string_view text, std::size_t at, int depth, std::vector<Finding>& across) const;
  void scan_without_tags(std::string_view text, std::vector<Finding>& found) const;
  void find_custom(std::string_view text, std::vector<Finding>& found) const;
  bool is_allowed(std::string_view value) const;

  EntitySet entities_ = usual_entities();
  std::vector<std::string> allow_;
  std::vector<PatternFinder> custom_;
};

}  // namespace glovebox::privacy
