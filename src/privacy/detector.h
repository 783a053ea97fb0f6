// Finds private data in a text. One pass: bytes that can begin or mark something are looked at more closely, each a
// bounded way in both directions, so that the time grows with the length of the text whatever stands in it.
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
// All but hosts of URLs, which are rarely anybody's.
EntitySet usual_entities();

struct DetectorSettings {
  EntitySet entities = usual_entities();  // secrets are looked for in any case
  std::vector<std::string> allow;         // values that are nobody's secret; * stands for anything
  std::vector<CustomPattern> custom;
};

class Detector {
 public:
  Detector();  // with the usual settings
  static Result<Detector> make(DetectorSettings settings);

  // In the order of the text; none overlaps another.
  std::vector<Finding> scan(std::string_view text) const;

 private:
  enum class Lines { kOne, kMany };  // whether what lies across their ends is looked for
  void scan_plain(std::string_view text, int depth, Lines lines, std::vector<Finding>& found) const;
  void scan_across(std::string_view text, std::size_t at, int depth, std::vector<Finding>& across) const;
  bool is_allowed(std::string_view value) const;

  EntitySet entities_ = usual_entities();
  std::vector<std::string> allow_;
  std::vector<PatternFinder> custom_;
};

}  // namespace glovebox::privacy
