// The listeners of one run. A listener may leave during a notification, or add others, which get the next one.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "gateway/runs/run_events.h"

namespace glovebox::gateway {

class RunListeners {
 public:
  std::uint64_t add(RunEvents events);
  void remove(std::uint64_t listener) { listeners_.erase(listener); }

  void tell_log(const LogLine& line) const;
  void tell_progress(std::string_view message) const;
  void tell_server_message(const std::string& server, const catalog::ServerMessage& message) const;
  void tell_waiting(const ApprovalRequest& request) const;
  // To one of them, if it is still there.
  void tell_waiting(std::uint64_t listener, const ApprovalRequest& request) const;
  // The last notification.
  void tell_end(const RunEnd& end);

  // Asks the client of one of them; false when none can be asked.
  bool ask_client(std::string_view method, std::string_view params, catalog::AnswerQuestion& answer) const;

 private:
  std::map<std::uint64_t, RunEvents> listeners_;
  std::uint64_t next_listener_ = 1;
};

}  // namespace glovebox::gateway
