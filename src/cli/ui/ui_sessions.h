// Who may use the page of `glovebox ui`: a browser that presents a code that was shown on its terminal. Each code
// counts once and is exchanged for a token, which is valid until the process ends.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace glovebox::cli {

class UiSessions {
 public:
  // The former one does not count any more.
  const std::string& new_code();
  std::optional<std::string> open(std::string_view code);
  bool knows(std::string_view token) const;

 private:
  std::string code_;  // empty: it was used
  std::set<std::string, std::less<>> token_digests_;
};

}  // namespace glovebox::cli
