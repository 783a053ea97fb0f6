// What the check found in programs that were checked lately. A program has the same findings as long as the tools are
// declared the same. Each client has its own: how long an answer takes says nothing about what others have run.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "glovebox/diagnostic.h"

namespace glovebox::check {

class KeptVerdicts {
 public:
  static std::string key_of(std::string_view principal, std::string_view code, std::string_view declarations);

  std::optional<std::vector<Diagnostic>> find(const std::string& key) const;
  // The oldest make room. What has more findings than a few is checked again: an agent mends it before it comes back.
  void keep(const std::string& key, const std::vector<Diagnostic>& found);

  static constexpr std::size_t kMost = 512;
  static constexpr std::size_t kMostFindings = 8;

 private:
  std::unordered_map<std::string, std::vector<Diagnostic>> verdicts_;
  std::deque<std::string> oldest_first_;
};

}  // namespace glovebox::check
