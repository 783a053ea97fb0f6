// Notifies the owner's own program or address that a person is asked: `notify` of the config.
//
// A program is started with the notice on its standard input; an address gets it as a signed POST. Both run beside the
// gateway, one at a time, with bounds on the queue, the time and the number of attempts.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <string>

#include "config/gateway_settings.h"
#include "glovebox/result.h"

namespace glovebox::assembly {

// `id` is the same for every attempt, so that a duplicate can be recognised. With the last copy of it, attempts end.
using Notify = std::function<void(const std::string& id, const std::string& notice)>;

// Null where the config wants none. `on_trouble` is for the owner: what could not be delivered, and why.
Result<Notify> make_notify(boost::asio::any_io_executor executor, const config::NotifySettings& settings,
                           std::function<void(const std::string&)> on_trouble);

}  // namespace glovebox::assembly
