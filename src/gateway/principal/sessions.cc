#include "gateway/principal/sessions.h"

namespace glovebox::gateway {
namespace {

std::string session_of(const std::string& gateway, const std::string& conversation) {
  return gateway + " " + conversation;
}

std::string_view conversation_in(std::string_view session) {
  const std::size_t space = session.find(' ');
  return space == session.npos ? std::string_view() : session.substr(space + 1);
}

}  // namespace

std::string Sessions::open(const std::string& gateway, const Asker& asker) {
  std::string session = session_of(gateway, asker.conversation);
  // Sessions without an end are not stored: clients could make up any number of them.
  if (asker.has_sessions()) open_.insert(session);
  return session;
}

void Sessions::end(const std::string& conversation) {
  // The gateway may have been renamed meanwhile.
  std::erase_if(open_, [&](const std::string& session) { return conversation_in(session) == conversation; });
}

bool Sessions::may_answer(const std::string& session, const std::string& gateway, const Asker& asker,
                          bool lives) const {
  if (session == session_of(gateway, asker.conversation)) return true;
  const bool has_end = is_conversation(session, asker.principal);
  // Any gateway may get the next request of a client without sessions.
  if (!has_end && !asker.has_sessions()) return true;
  const std::string begun_at = session.substr(0, session.find(' '));
  return begun_at == gateway ? has_end && !open_.contains(session) : !lives;
}

bool is_conversation(std::string_view session, std::string_view principal) {
  const std::string_view conversation = conversation_in(session);
  return !conversation.empty() && conversation != principal;
}

}  // namespace glovebox::gateway
