// A pause before a request is judged: the check of a token may have to fetch something first.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <string>

#include "mcp/http/http_server.h"

namespace glovebox::mcp {

inline boost::asio::awaitable<void> prepared(const HttpServerOptions& options, std::string token,
                                             boost::asio::any_io_executor executor) {
  if (!options.prepare || token.empty()) co_return;
  using Timer = boost::asio::steady_timer;
  const auto ready = std::make_shared<Timer>(executor, Timer::time_point::max());
  options.prepare(token, [ready] { ready->expires_at(Timer::time_point::min()); });
  boost::system::error_code ignored;
  co_await ready->async_wait(boost::asio::redirect_error(boost::asio::use_awaitable, ignored));
}

}  // namespace glovebox::mcp
