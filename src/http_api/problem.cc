#include "http_api/problem.h"

#include <boost/beast/http/status.hpp>

namespace glovebox::http_api {

mcp::PlainResponse problem(int status, std::string_view detail) {
  const auto title = boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
  const mcp::json::object body = {{"type", "about:blank"},
                                  {"title", mcp::json::string_view(title.data(), title.size())},
                                  {"status", status},
                                  {"detail", mcp::json::string_view(detail.data(), detail.size())}};
  return {status, mcp::json::serialize(body), "application/problem+json"};
}

int status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::kNotFound: return 404;
    case ErrorCode::kConflict: return 409;
    case ErrorCode::kInvalidArgument: return 400;
    default: return 503;
  }
}

mcp::PlainResponse problem_of(const Failure& failure) {
  return problem(status_of(failure.code), failure.message);
}

mcp::PlainResponse respond_with(const Result<mcp::json::object>& out) {
  return out ? mcp::PlainResponse{200, mcp::json::serialize(out.value())} : problem_of(out.failure());
}

mcp::PlainResponse respond_with_text(Result<std::string> body) {
  return body ? mcp::PlainResponse{200, std::move(body).value()} : problem_of(body.failure());
}

}  // namespace glovebox::http_api
