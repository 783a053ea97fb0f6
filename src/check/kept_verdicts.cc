#include "check/kept_verdicts.h"

#include "base/digest.h"

namespace glovebox::check {

// Each part is preceded by its length, so that no two triples give the same text.
std::string KeptVerdicts::key_of(std::string_view principal, std::string_view code, std::string_view declarations) {
  base::Sha256 digest;
  for (const std::string_view part : {principal, code, declarations}) {
    digest.add(std::to_string(part.size()) + ":");
    digest.add(part);
  }
  return digest.hex();
}

std::optional<std::vector<Diagnostic>> KeptVerdicts::find(const std::string& key) const {
  const auto found = verdicts_.find(key);
  if (found == verdicts_.end()) return std::nullopt;
  return found->second;
}

void KeptVerdicts::keep(const std::string& key, const std::vector<Diagnostic>& found) {
  if (found.size() > kMostFindings || !verdicts_.emplace(key, found).second) return;
  oldest_first_.push_back(key);
  if (oldest_first_.size() <= kMost) return;
  verdicts_.erase(oldest_first_.front());
  oldest_first_.pop_front();
}

}  // namespace glovebox::check
