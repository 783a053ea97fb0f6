// Findings of recently checked programs. A program has the same findings as long as the declarations of the tools are
// the same. They are kept per client: how long an answer takes reveals nothing about what others have run.
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
  // Evicts the oldest. Programs with many findings are not kept: an agent fixes them before sending them again.
  void keep(const std::string& key, const std::vector<Diagnostic>& found);

  static constexpr std::size_t kMost = 512;
  static constexpr std::size_t kMostFindings = 8;

 private:
  std::unordered_map<std::string, std::vector<Diagnostic>> verdicts_;
  std::deque<std::string> oldest_first_;
};

}  // namespace glovebox::check
