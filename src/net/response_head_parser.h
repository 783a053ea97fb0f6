// The lines of a response's head, one by one, as curl passes them. Limits what a server sends before the final
// response, however many interim ones there are.
#pragma once

#include <string_view>

#include "net/fetch_error.h"
#include "net/http_message.h"
#include "net/limits.h"

namespace glovebox::net {

class ResponseHeadParser {
 public:
  ResponseHeadParser() = default;
  ResponseHeadParser(std::size_t max_bytes, std::size_t max_headers)
      : max_bytes_(max_bytes), max_headers_(max_headers) {}

  // A line with its line break. The error's message is only the reason.
  FetchResult<void> feed(std::string_view line);

  // The head of the final response is complete; further lines are trailers, which are ignored.
  bool complete() const { return complete_; }
  int status() const { return status_; }
  const std::string& status_text() const { return status_text_; }
  const Headers& headers() const { return headers_; }

 private:
  FetchResult<void> feed_status(std::string_view line);
  FetchResult<void> feed_header(std::string_view line);

  std::size_t max_bytes_ = SessionLimits{}.max_header_bytes;
  std::size_t max_headers_ = SessionLimits{}.max_headers;
  std::size_t bytes_ = 0;
  std::size_t count_ = 0;
  bool in_block_ = false;
  bool complete_ = false;
  int status_ = 0;
  std::string status_text_;
  Headers headers_;
};

}  // namespace glovebox::net
