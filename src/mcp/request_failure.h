// Why a call of ours to a server has no result.
#pragma once

#include <optional>
#include <string>

#include "mcp/message.h"

namespace glovebox::mcp {

enum class RequestFailureKind {
  kAnswered,      // the server answered with an error; see `error`
  kTimeout,       // no answer in time
  kCancelled,     // by us
  kClosed,        // the connection or the process ended before the answer
  kSessionLost,   // the server has forgotten the session
  kProtocol,      // the server broke the rules: bad JSON, wrong ids, endless pages
  kTooLarge,      // an answer beyond the limit
  kHttp,          // an HTTP status that refuses the request
  kUnauthorized,  // the server requires authorization that we do not have or could not get
  kUnreachable,   // no server answers there
  kNotSupported,  // the server and we have no revision in common, or it lacks the feature
};

struct RequestFailure {
  RequestFailureKind kind = RequestFailureKind::kClosed;
  std::string message;
  std::optional<RpcError> error;
  int http_status = 0;
};

inline RequestFailure protocol_failure(std::string what) {
  return {RequestFailureKind::kProtocol, std::move(what), {}, 0};
}

}  // namespace glovebox::mcp
