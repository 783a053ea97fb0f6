// Who asks a gateway for something: a client, and the conversation in which it does.
//
// Runs, workflows, their approvals and kept results belong to the client: it finds them again in another conversation
// and after a restart. What a person allows "for this session" holds for one conversation.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::gateway {

// Who has shown a token, or is on stdio. The id of a gateway behind it is what that gateway says of itself: it tells
// gateways with one token apart, and gives nobody more room.
inline std::string_view authenticated_part(std::string_view principal) {
  return principal.substr(0, principal.find(' '));
}

struct Asker {
  std::string principal;  // "stdio", "http", "http:TOKEN"; behind a space the id of a gateway that is the client
  // Of this process, as ServerCore names them. One without end, of a client without sessions, has the client's name.
  std::string conversation{};
  bool has_sessions() const { return conversation != principal; }
};

}  // namespace glovebox::gateway
