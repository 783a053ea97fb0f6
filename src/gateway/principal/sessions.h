// Sessions: conversations as runs and rules refer to them: "GATEWAY CONVERSATION", unique among gateways.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "gateway/principal/asker.h"

namespace glovebox::gateway {

class Sessions {
 public:
  // Opens the conversation, and returns its session.
  std::string open(const std::string& gateway, const Asker& asker);
  void end(const std::string& conversation);

  // Whether a client may approve what its own run or workflow, begun in `session`, asks for: only in the same
  // conversation, or once that one is over. `lives`: the gateway where it began is alive.
  bool may_answer(const std::string& session, const std::string& gateway, const Asker& asker, bool lives) const;

 private:
  std::set<std::string> open_;
};

// The session is a conversation of this client, and comes to an end: not what a client without sessions has, to which
// all its requests belong.
bool is_conversation(std::string_view session, std::string_view principal);

}  // namespace glovebox::gateway
