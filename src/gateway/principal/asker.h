// Who asks a gateway for something: a client, and the conversation in which it does.
//
// Runs, workflows, their approvals and kept results belong to the client: it finds them again in another conversation
// and after a restart. What a person allows "for this session" holds for one conversation.
#pragma once

#include <string>

namespace glovebox::gateway {

struct Asker {
  std::string principal;  // "stdio", "http", "http:TOKEN"; behind a space the id of a gateway that is the client
  // Of this process, as ServerCore names them. One without end, of a client without sessions, has the client's name.
  std::string conversation{};
  bool has_sessions() const { return conversation != principal; }
};

}  // namespace glovebox::gateway
