#include "mcp/client/http_fetch.h"

#include <boost/asio/post.hpp>

#include "net/request_headers.h"

namespace glovebox::mcp {

std::shared_ptr<HttpFetch> HttpFetch::start(boost::asio::any_io_executor executor, net::HttpSession& session,
                                            net::HttpRequest request, Events events) {
  std::shared_ptr<HttpFetch> fetch(new HttpFetch(executor));
  fetch->events_ = std::move(events);
  fetch->exchange_ = session.fetch(std::move(request), [executor, fetch](net::FetchResult<net::ResponseHead> head) {
    boost::asio::post(executor, [fetch, head = std::move(head)] {
      if (fetch->over_) return;
      if (!head) return fetch->end(head.failure());
      // A copy, because cancel() releases the callbacks while one of them runs.
      const auto on_head = fetch->events_.on_head;
      on_head(head.value());
      fetch->read();
    });
  });
  return fetch;
}

void HttpFetch::read() {
  if (over_) return;
  exchange_->read([self = shared_from_this()](net::FetchResult<net::Chunk> chunk) {
    boost::asio::post(self->executor_, [self, chunk = std::move(chunk)]() mutable {
      if (self->over_) return;
      if (!chunk) return self->end(chunk.failure());
      if (chunk->done) return self->end(std::nullopt);
      const auto on_bytes = self->events_.on_bytes;
      on_bytes(std::move(chunk->bytes));
      self->read();
    });
  });
}

void HttpFetch::end(std::optional<net::FetchError> error) {
  over_ = true;
  const auto events = std::move(events_);
  events_ = {};
  exchange_.reset();
  events.on_end(std::move(error));
}

void HttpFetch::cancel() {
  if (over_) return;
  over_ = true;
  events_ = {};
  exchange_.reset();
}

std::shared_ptr<HttpFetch> fetch_whole(boost::asio::any_io_executor executor, net::HttpSession& session,
                                       net::HttpRequest request, std::size_t max_bytes,
                                       std::function<void(net::FetchResult<WholeResponse>)> done) {
  auto response = std::make_shared<WholeResponse>();
  auto fetch = std::make_shared<std::weak_ptr<HttpFetch>>();
  auto started =
      HttpFetch::start(std::move(executor), session, std::move(request),
                       {.on_head = [response](const net::ResponseHead& head) { response->head = head; },
                        .on_bytes =
                            [response, fetch, max_bytes, done](std::string bytes) {
                              response->body += bytes;
                              if (response->body.size() <= max_bytes) return;
                              if (const auto held = fetch->lock()) held->cancel();
                              done(net::FetchError{net::FetchError::Kind::kLimit, "the answer is too large", {}});
                            },
                        .on_end =
                            [response, done](std::optional<net::FetchError> error) {
                              if (error) return done(*error);
                              done(std::move(*response));
                            }});
  *fetch = started;
  return started;
}

std::string field_of(const net::ResponseHead& head, std::string_view name) {
  const net::Header* found = net::find_header(head.headers, name);
  return found ? found->value : std::string();
}

}  // namespace glovebox::mcp
