// Conversations as runs and rules are marked with them: "GATEWAY CONVERSATION", which no two gateways share.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "gateway/principal/asker.h"

namespace glovebox::gateway {

class Sessions {
 public:
  // From here on it is open.
  std::string open(const std::string& gateway, const Asker& asker);
  void end(const std::string& conversation);

  // Whether a client may say yes to what something of its own asks, which was begun in `session`: it is the same
  // conversation, or that one is over. `lives` says whether another gateway does.
  bool may_answer(const std::string& session, const std::string& gateway, const Asker& asker,
                  const std::function<bool(const std::string& gateway)>& lives) const;

 private:
  std::set<std::string> open_;
};

}  // namespace glovebox::gateway
