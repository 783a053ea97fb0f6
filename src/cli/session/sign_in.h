// Sends the person at this terminal to a server's sign-in page, and waits on a local port for the result.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::cli {

using Visit = std::function<void(std::string server, std::string url, std::function<void(Result<std::string>)>)>;

Visit sign_in_at_terminal(boost::asio::any_io_executor executor);

// The parameter that an authorization server hands back as it is.
std::string_view state_in(std::string_view url);

// The URL that a browser asked us for, from the head of its request; empty when it is not the one that we wait for:
// another path, another host than ours, or another state.
std::string redirected_url(std::string_view request_head, std::string_view state);

}  // namespace glovebox::cli
