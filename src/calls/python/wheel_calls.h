// `python.…`: the wheels that a run may import from. A wheel is served only if its digest is the one in the folder's
// SHA256SUMS, so a wheel that was changed later is refused.
#pragma once

#include <string>

#include "calls/call.h"

namespace glovebox::calls {

class WheelCalls : public CallHandler {
 public:
  explicit WheelCalls(std::string folder) : folder_(std::move(folder)) {}
  std::shared_ptr<BodySink> handle(const Call& call, std::shared_ptr<Answer> answer) override;

 private:
  void list(Answer& answer) const;
  void read(const std::string& name, Answer& answer) const;

  std::string folder_;
};

}  // namespace glovebox::calls
