// Between a handler and the client: everything that the handler sends about its call passes through here.
#pragma once

#include <functional>
#include <string>

#include "base/text/twice_said.h"

namespace glovebox::mcp {

class OutgoingFilter {
 public:
  virtual ~OutgoingFilter() = default;
  // The result of the call, a JSON object; the return value is sent instead.
  virtual std::string result(std::string json) = 0;
  // The same for a result whose text is still to be made from its JSON.
  virtual std::string result_said_twice(std::string json, const base::TwiceSaid& places) {
    return result(base::with_text(std::move(json), places));
  }
  // The same for a large result: `done` may be called later, on the loop's thread, so that other calls need not wait.
  virtual void large_result(std::string json, std::function<void(std::string)> done) { done(result(std::move(json))); }
  // Anything else, as JSON: a log's data, the parameters of a question.
  virtual std::string said(std::string json) = 0;
  // A text: a line of progress, an error.
  virtual std::string text(std::string text) = 0;
};

}  // namespace glovebox::mcp
