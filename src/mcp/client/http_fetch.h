// HttpFetch: one exchange of net::HttpClient, reported on our own thread.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "net/http_client.h"

namespace glovebox::mcp {

class HttpFetch : public std::enable_shared_from_this<HttpFetch> {
 public:
  struct Events {
    std::function<void(const net::ResponseHead&)> on_head;
    std::function<void(std::string)> on_bytes;
    // Called once, and last: with nothing at the end of the body, or with the error that cut it short.
    std::function<void(std::optional<net::FetchError>)> on_end;
  };

  static std::shared_ptr<HttpFetch> start(boost::asio::any_io_executor executor, net::HttpSession& session,
                                          net::HttpRequest request, Events events);
  // No event follows.
  void cancel();

 private:
  explicit HttpFetch(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}
  void read();
  void end(std::optional<net::FetchError> error);

  boost::asio::any_io_executor executor_;
  std::unique_ptr<net::Exchange> exchange_;
  Events events_;
  bool over_ = false;
};

struct WholeResponse {
  net::ResponseHead head;
  std::string body;
};

// Fetches a response as a whole; it fails if it is not small.
std::shared_ptr<HttpFetch> fetch_whole(boost::asio::any_io_executor executor, net::HttpSession& session,
                                       net::HttpRequest request, std::size_t max_bytes,
                                       std::function<void(net::FetchResult<WholeResponse>)> done);

// The value of a field by its name in any case; empty when there is none.
std::string field_of(const net::ResponseHead& head, std::string_view name);

}  // namespace glovebox::mcp
