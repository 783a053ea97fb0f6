// The listeners of one run. A listener may leave during a notification, or add others, which get the next one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <utility>

#include "gateway/runs/run_events.h"

namespace glovebox::gateway {

class RunListeners {
 public:
  std::uint64_t add(RunEvents events) {
    listeners_[next_listener_] = std::make_shared<const RunEvents>(std::move(events));
    return next_listener_++;
  }
  void remove(std::uint64_t listener) { listeners_.erase(listener); }

  // Notifies all of them: tell(&RunEvents::on_log, line).
  template <typename Event, typename... What>
  void tell(Event RunEvents::*event, const What&... what) const {
    tell_all(std::map(listeners_), event, what...);
  }
  // The last notification.
  template <typename Event, typename... What>
  void tell_last(Event RunEvents::*event, const What&... what) {
    tell_all(std::exchange(listeners_, {}), event, what...);
  }
  // To one of them, if it is still there.
  template <typename Event, typename... What>
  void tell_one(std::uint64_t listener, Event RunEvents::*event, const What&... what) const {
    const auto found = listeners_.find(listener);
    if (found != listeners_.end()) tell_all({{found->first, found->second}}, event, what...);
  }

  // Asks the client of one of them; false when none can be asked.
  bool ask_client(std::string_view method, std::string_view params, catalog::AnswerQuestion& answer) const {
    // The latest listener is still there; earlier ones may only be waiting for the end.
    for (auto listener = listeners_.rbegin(); listener != listeners_.rend(); ++listener) {
      const auto events = listener->second;
      if (!events->on_question) continue;
      events->on_question(method, params, std::move(answer));
      return true;
    }
    return false;
  }

 private:
  using Listeners = std::map<std::uint64_t, std::shared_ptr<const RunEvents>>;

  template <typename Event, typename... What>
  static void tell_all(const Listeners& listeners, Event RunEvents::*event, const What&... what) {
    for (const auto& [id, events] : listeners) {
      if ((*events).*event) ((*events).*event)(what...);
    }
  }

  Listeners listeners_;
  std::uint64_t next_listener_ = 1;
};

}  // namespace glovebox::gateway
