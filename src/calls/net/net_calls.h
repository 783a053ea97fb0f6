// `net.…`: a run's requests, made by the HTTP client's thread on its behalf. Bodies are moved in pieces that the guest
// asks for, in both directions, so that neither side can fill the gateway's memory.
#pragma once

#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <memory>

#include "calls/call.h"
#include "net/http_client.h"

namespace glovebox::calls {

class NetCalls : public CallHandler {
 public:
  // Called with the first request: opens a session with the run's grants.
  using OpenSession = std::function<Result<std::unique_ptr<net::HttpSession>>()>;
  // Requests end at `deadline`, with the run.
  NetCalls(std::shared_ptr<boost::asio::io_context> io, OpenSession open_session,
           std::chrono::steady_clock::time_point deadline);
  ~NetCalls() override;

  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;
  Recalled recall(const Call& call, std::shared_ptr<Answer> answer, const replay::RecordedReply* reply) override;
  void end(std::function<void()> ended) override;

 private:
  class Book;
  std::shared_ptr<Book> book_;
};

}  // namespace glovebox::calls
