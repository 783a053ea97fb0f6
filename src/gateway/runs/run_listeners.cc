#include "gateway/runs/run_listeners.h"

#include <utility>

namespace glovebox::gateway {

std::uint64_t RunListeners::add(RunEvents events) {
  const std::uint64_t listener = next_listener_++;
  listeners_[listener] = std::move(events);
  return listener;
}

void RunListeners::tell_log(const LogLine& line) const {
  const auto listeners = listeners_;
  for (const auto& [id, events] : listeners) {
    if (events.on_log) events.on_log(line);
  }
}

void RunListeners::tell_progress(std::string_view message) const {
  const auto listeners = listeners_;
  for (const auto& [id, events] : listeners) {
    if (events.on_progress) events.on_progress(message);
  }
}

void RunListeners::tell_server_message(const std::string& server, const catalog::ServerMessage& message) const {
  const auto listeners = listeners_;
  for (const auto& [id, events] : listeners) {
    if (events.on_server_message) events.on_server_message(server, message);
  }
}

void RunListeners::tell_waiting(const ApprovalRequest& request) const {
  const auto listeners = listeners_;
  for (const auto& [id, events] : listeners) {
    if (events.on_waiting) events.on_waiting(request);
  }
}

void RunListeners::tell_waiting(std::uint64_t listener, const ApprovalRequest& request) const {
  const auto found = listeners_.find(listener);
  if (found == listeners_.end()) return;
  const auto tell = found->second.on_waiting;
  if (tell) tell(request);
}

void RunListeners::tell_end(const RunEnd& end) {
  const auto listeners = std::exchange(listeners_, {});
  for (const auto& [id, events] : listeners) {
    if (events.on_end) events.on_end(end);
  }
}

bool RunListeners::ask_client(std::string_view method, std::string_view params, catalog::AnswerQuestion& answer) const {
  // The latest listener is still there; earlier ones may only be waiting for the end.
  for (auto listener = listeners_.rbegin(); listener != listeners_.rend(); ++listener) {
    const auto ask = listener->second.on_question;
    if (!ask) continue;
    ask(method, params, std::move(answer));
    return true;
  }
  return false;
}

}  // namespace glovebox::gateway
