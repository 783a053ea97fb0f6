// Notifies the owner's own program or address that a person is asked: `notify` of the config.
//
// A program is started with the notice on its standard input; an address gets it as a signed POST. Both happen beside
// the gateway, one at a time, with a bound on how many wait, how long one takes and how often it is tried.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <string>

#include "config/gateway_settings.h"
#include "glovebox/result.h"

namespace glovebox::assembly {

class Notifier {
 public:
  virtual ~Notifier() = default;
  // `id` is the same for every attempt, so that a duplicate can be recognised.
  virtual void tell(const std::string& id, const std::string& notice) = 0;

  // Null where the config wants none. `on_trouble` is for the owner: what could not be delivered, and why.
  static Result<std::shared_ptr<Notifier>> create(boost::asio::any_io_executor executor,
                                                  const config::NotifySettings& settings,
                                                  std::function<void(const std::string&)> on_trouble);
};

}  // namespace glovebox::assembly
