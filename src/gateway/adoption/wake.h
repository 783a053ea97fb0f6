// Wakes a gateway, so that it polls the store. A datagram on a unix socket; its content does not matter, and losing one
// costs a second.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "glovebox/result.h"

namespace glovebox::gateway {

class WakeSocket {
 public:
  // `on_wake` is called on the executor, perhaps once for several wake-ups.
  static Result<std::unique_ptr<WakeSocket>> open(boost::asio::any_io_executor executor,
                                                  const std::string& state_folder, const std::string& owner,
                                                  std::function<void()> on_wake);
  ~WakeSocket();

 private:
  struct State;
  explicit WakeSocket(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

// It is no error if nothing listens: the next gateway reads the store.
void wake_gateway(const std::string& state_folder, const std::string& owner);

}  // namespace glovebox::gateway
