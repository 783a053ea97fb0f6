// What a guest asks for with `net.fetch`, read from its arguments.
#pragma once

#include <optional>
#include <string>

#include "calls/call.h"
#include "net/http_message.h"

namespace glovebox::calls {

struct FetchRequest {
  enum class Body { kNone, kBytes, kStream };
  net::HttpRequest http;  // without its body
  Body body = Body::kNone;

  // Nothing for a call that our bridge would not make.
  static std::optional<FetchRequest> parse(const Call& call);
};

}  // namespace glovebox::calls
