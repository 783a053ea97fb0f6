#include "mcp/http/response_text.h"

#include <boost/beast/http/status.hpp>
#include <cstdio>

namespace glovebox::mcp {

std::string head_text(const HttpReply& reply, std::size_t body_bytes, bool keep, std::string_view extra) {
  const auto reason = boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(reply.status()));
  std::string head =
      "HTTP/1.1 " + std::to_string(reply.status()) + " " + std::string(reason.data(), reason.size()) + "\r\n";
  if (reply.form() == HttpReply::Form::kStream) {
    head +=
        "Content-Type: text/event-stream\r\nCache-Control: no-cache, no-transform\r\nX-Accel-Buffering: no\r\n"
        "Transfer-Encoding: chunked\r\n";
  } else {
    if (!reply.content_type().empty() && body_bytes > 0) head += "Content-Type: " + reply.content_type() + "\r\n";
    head += "Content-Length: " + std::to_string(body_bytes) + "\r\n";
  }
  head += reply.head();
  head += extra;
  head += keep ? "Connection: keep-alive\r\n\r\n" : "Connection: close\r\n\r\n";
  return head;
}

std::string rejection(int status, const std::string& body) {
  return "HTTP/1.1 " + std::to_string(status) + (status == 200 ? " OK" : " Refused") +
         "\r\nContent-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\nConnection: close\r\n\r\n" + body;
}

std::string chunk(std::string_view text) {
  char size[24];
  std::snprintf(size, sizeof size, "%zx\r\n", text.size());
  return size + std::string(text) + "\r\n";
}

}  // namespace glovebox::mcp
