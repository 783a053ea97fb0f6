// `python.…`: the wheels that a run may import from. A wheel is served only if its digest is the one in the folder's
// SHA256SUMS, so a wheel that was changed later is refused.
#pragma once

#include <boost/asio/io_context.hpp>
#include <deque>
#include <string>

#include "base/lane.h"
#include "calls/call.h"

namespace glovebox::calls {

class WheelCalls : public CallHandler {
 public:
  WheelCalls(std::shared_ptr<boost::asio::io_context> io, std::string folder)
      : io_(std::move(io)), folder_(std::move(folder)) {}
  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;

 private:
  struct Wish {
    std::string name;  // of a wheel; empty: the list of them
    std::shared_ptr<Answer> answer;
  };
  // One at a time, and not on the loop: the digest of a wheel takes as long as many calls of other runs.
  void begin_next();

  std::shared_ptr<boost::asio::io_context> io_;
  std::string folder_;
  std::deque<Wish> waiting_;
  bool is_reading_ = false;
  base::Lane lane_;
};

}  // namespace glovebox::calls
