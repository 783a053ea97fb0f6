// Asker: who asks a gateway for something: a client, and the conversation in which it asks.
//
// Runs, workflows, their approvals and cached results belong to the client: it finds them in another conversation and
// after a restart. What a person allows "for this session" holds for one conversation.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::gateway {

// The token's holder, or stdio. What follows it is the id that a client gateway gives itself: it tells gateways with
// one token apart, and gives none of them more room.
inline std::string_view authenticated_part(std::string_view principal) {
  return principal.substr(0, principal.find(' '));
}

struct Asker {
  std::string principal;  // "stdio", "http", "http:TOKEN"; a client gateway's id follows after a space
  // Of this process, as ServerCore names them. For a client without sessions it never ends, and is the client's name.
  std::string conversation{};
  bool has_sessions() const { return conversation != principal; }
};

}  // namespace glovebox::gateway
