// For tests: a client that waits for its answers.
#pragma once

#include <future>
#include <string>

#include "net/http_client.h"

namespace glovebox::net::testing {

inline policy::NetGrants grants(std::vector<std::string> texts, bool allow_private = false) {
  return policy::NetGrants::parse(texts, allow_private).value();
}

struct Started {
  std::unique_ptr<Exchange> exchange;
  std::future<FetchResult<ResponseHead>> head;
};

inline Started start(HttpSession& session, HttpRequest request) {
  auto promise = std::make_shared<std::promise<FetchResult<ResponseHead>>>();
  auto head = promise->get_future();
  auto exchange = session.fetch(std::move(request),
                                [promise](FetchResult<ResponseHead> result) { promise->set_value(std::move(result)); });
  return {std::move(exchange), std::move(head)};
}

inline FetchResult<Chunk> read(Exchange& exchange) {
  std::promise<FetchResult<Chunk>> promise;
  exchange.read([&promise](FetchResult<Chunk> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

inline FetchResult<bool> write(Exchange& exchange, std::string bytes, bool last) {
  std::promise<FetchResult<bool>> promise;
  exchange.write(std::move(bytes), last,
                 [&promise](FetchResult<bool> result) { promise.set_value(std::move(result)); });
  return promise.get_future().get();
}

inline FetchResult<std::string> read_all(Exchange& exchange) {
  std::string body;
  while (true) {
    auto chunk = read(exchange);
    if (!chunk) return chunk.failure();
    if (chunk->done) return body;
    body += chunk->bytes;
  }
}

struct Response {
  ResponseHead head;
  std::string body;
};

// The whole response, or the first error.
inline FetchResult<Response> fetch_all(HttpSession& session, HttpRequest request) {
  auto started = start(session, std::move(request));
  auto head = started.head.get();
  if (!head) return head.failure();
  auto body = read_all(*started.exchange);
  if (!body) return body.failure();
  return Response{*head, *body};
}

}  // namespace glovebox::net::testing
