// A wake-up: "read the store". A datagram on a unix socket; what it says does not matter, and losing one costs a
// second.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "glovebox/result.h"

namespace glovebox::gateway {

class PokeSocket {
 public:
  // `on_poke` is called on the executor, for several pokes perhaps once.
  static Result<std::unique_ptr<PokeSocket>> open(boost::asio::any_io_executor executor,
                                                  const std::string& state_folder, const std::string& owner,
                                                  std::function<void()> on_poke);
  ~PokeSocket();

 private:
  struct State;
  explicit PokeSocket(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

// Nobody listening is no error: whoever comes next reads the store.
void poke(const std::string& state_folder, const std::string& owner);

}  // namespace glovebox::gateway
