#include "net/response_head_parser.h"

#include <algorithm>

#include "base/characters/ascii.h"
#include "net/request_headers.h"

namespace glovebox::net {
namespace {

FetchError malformed(const char* reason) {
  return {FetchError::Kind::kNetwork, reason, ""};
}
FetchError too_much(const char* reason) {
  return {FetchError::Kind::kLimit, reason, ""};
}

bool holds_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; });
}

bool is_length(std::string_view text) {
  return text.size() <= 18 && base::is_number(text);
}

}  // namespace

FetchResult<void> ResponseHeadParser::feed(std::string_view line) {
  bytes_ += line.size();
  if (bytes_ > max_bytes_) return too_much("the response's headers are too long");
  if (complete_) return {};
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (!in_block_) return feed_status(line);
  if (!line.empty()) return feed_header(line);
  in_block_ = false;
  // Interim responses precede the final one and do not matter to fetch. An upgrade was not requested.
  if (status_ == 101) return malformed("the server switches protocols without being asked");
  if (status_ >= 200) complete_ = true;
  return {};
}

FetchResult<void> ResponseHeadParser::feed_status(std::string_view line) {
  // HTTP/1.1 200 OK
  const auto space = line.find(' ');
  if (!line.starts_with("HTTP/1.") || space == std::string_view::npos || line.size() < space + 4 ||
      (line.size() > space + 4 && line[space + 4] != ' ')) {
    return malformed("the response does not begin with a status line");
  }
  int status = 0;
  for (const char c : line.substr(space + 1, 3)) {
    if (c < '0' || c > '9') return malformed("the response does not begin with a status line");
    status = status * 10 + (c - '0');
  }
  if (status < 100 || status > 599) return malformed("the response's status is out of range");
  const auto text = line.size() > space + 5 ? base::trimmed(line.substr(space + 5), " \t") : std::string_view();
  if (holds_control(text)) return malformed("the status line contains a control character");
  in_block_ = true;
  status_ = status;
  status_text_ = text;
  headers_.clear();
  return {};
}

FetchResult<void> ResponseHeadParser::feed_header(std::string_view line) {
  if (++count_ > max_headers_) return too_much("the response has too many headers");
  const auto colon = line.find(':');
  if (colon == std::string_view::npos) return malformed("a response header has no name");
  const auto name = line.substr(0, colon);
  const auto value = base::trimmed(line.substr(colon + 1), " \t");
  // A folded line begins with a space, so it has no valid name. Parsers have long disagreed about such lines.
  if (!base::is_http_token(name)) return malformed("a response header has no valid name");
  if (holds_control(value)) return malformed("a response header contains a control character");
  if (base::equal_ignoring_case(name, "content-length")) {
    // Two different lengths, or an invalid one, are used to make one response pass for two (response splitting).
    const Header* before = find_header(headers_, name);
    if (!is_length(value) || (before && before->value != value)) return malformed("the response's length is ambiguous");
  }
  headers_.push_back({std::string(name), std::string(value)});
  return {};
}

}  // namespace glovebox::net
