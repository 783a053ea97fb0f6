// Names made of untrusted text, no two alike.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace glovebox::types {

class DistinctNames {
 public:
  // `word`, or `word` followed by a number if it is taken.
  std::string take(const std::string& word) {
    std::string name = word;
    // Numbers continue from the last one, so that a thousand equal words do not need a million attempts.
    while (!taken_.insert(name).second)
      name = word + "_" + std::to_string(++numbers_.try_emplace(word, 1).first->second);
    return name;
  }

  // Those that begin with it and are taken.
  std::vector<std::string> taken_with(const std::string& prefix) const {
    std::vector<std::string> names;
    for (auto name = taken_.lower_bound(prefix); name != taken_.end() && name->starts_with(prefix); ++name)
      names.push_back(*name);
    return names;
  }

 private:
  std::set<std::string> taken_;
  std::map<std::string, int> numbers_;
};

}  // namespace glovebox::types
