#include "assembly/http/plain_errors.h"

#include "base/text/json_builder.h"

namespace glovebox::assembly {

mcp::PlainResponse plain_error(int status, std::string_view message) {
  return {status, base::ObjectText().text("error", message).done()};
}

mcp::PlainResponse plain_failure(const Failure& failure) {
  switch (failure.code) {
    case ErrorCode::kNotFound: return plain_error(404, failure.message);
    case ErrorCode::kConflict: return plain_error(409, failure.message);
    case ErrorCode::kInvalidArgument: return plain_error(400, failure.message);
    default: return plain_error(500, failure.message);
  }
}

}  // namespace glovebox::assembly
