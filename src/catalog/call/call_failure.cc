#include "catalog/call/call_failure.h"

#include "catalog/plain_text.h"
#include "glovebox/error_word.h"

namespace glovebox::catalog {

CallFailure call_failure(const std::string& server, const mcp::RequestFailure& failure, const std::string& key) {
  using Kind = mcp::RequestFailureKind;
  const auto with = [&](ErrorWord code, bool sent = true) {
    return CallFailure{code, server + ": " + plain_text(failure.message), sent};
  };
  switch (failure.kind) {
    case Kind::kAnswered: return {"TOOL_ERROR", plain_text(failure.message), true};
    case Kind::kTimeout: {
      CallFailure late = with("RPC_TIMEOUT");
      late.message += ", nor progress" + (key.empty() ? "" : " (" + key + ")");
      return late;
    }
    case Kind::kCancelled: return {"CANCELLED", "the call was cancelled", true};
    case Kind::kProtocol:
    case Kind::kNotSupported: return with("PROTOCOL_ERROR");
    case Kind::kTooLarge: return with("RESULT_TOO_LARGE");
    case Kind::kUnauthorized: return with("UNAUTHORIZED", false);
    case Kind::kClosed:
    case Kind::kSessionLost:
    case Kind::kHttp:
    case Kind::kUnreachable: break;
  }
  return with("SERVER_UNAVAILABLE");
}

}  // namespace glovebox::catalog
