// `python.…`: the wheels that a run may import from. A wheel is served only if its digest is the one in the folder's
// SHA256SUMS, so a wheel that was changed later is refused.
#pragma once

#include <boost/asio/io_context.hpp>
#include <memory>
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
  std::shared_ptr<boost::asio::io_context> io_;
  std::string folder_;
  std::shared_ptr<bool> reads_ = std::make_shared<bool>(false);  // one is under way; of the loop's thread
  base::Lane lane_;                                              // the disk may be slow, and wheels are large
};

}  // namespace glovebox::calls
