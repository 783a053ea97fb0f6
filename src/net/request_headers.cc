#include "net/request_headers.h"

#include <algorithm>
#include <string>

#include "base/characters/ascii.h"
#include "net/limits.h"
#include "policy/host_name.h"

namespace glovebox::net {
namespace {

constexpr std::string_view kConnectionHeaders[] = {
    "alt-used", "connection", "content-length",    "expect",  "host", "http2-settings", "keep-alive", "te",
    "trailer",  "trailers",   "transfer-encoding", "upgrade", "via",
};

constexpr std::string_view kHarmlessHeaders[] = {
    "accept",           "accept-encoding", "accept-language", "cache-control", "content-encoding",
    "content-language", "content-type",    "if-match",        "if-none-match", "if-modified-since",
    "if-range",         "pragma",          "range",           "user-agent",
};

constexpr std::string_view kBodyHeaders[] = {"content-encoding", "content-language", "content-location",
                                             "content-type"};

bool is_field_value(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte == '\t' || (byte >= 0x20 && byte != 0x7f);
  });
}

template <std::size_t N>
bool is_one_of(std::string_view name, const std::string_view (&names)[N]) {
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view known) { return base::equal_ignoring_case(name, known); });
}

bool belongs_to_connection(std::string_view name) {
  return is_one_of(name, kConnectionHeaders) || base::equal_ignoring_case(name.substr(0, 6), "proxy-");
}

FetchError invalid(std::string message) {
  return {FetchError::Kind::kInvalid, std::move(message), ""};
}

}  // namespace

const Header* find_header(const Headers& headers, std::string_view name) {
  const auto found = std::find_if(headers.begin(), headers.end(),
                                  [&](const Header& header) { return base::equal_ignoring_case(header.name, name); });
  return found == headers.end() ? nullptr : &*found;
}

FetchResult<Headers> checked_request_headers(Headers given) {
  if (given.size() > kMaxRequestHeaders) return invalid("a request has too many headers");
  std::size_t bytes = 0;
  for (const Header& header : given) {
    if (!base::is_http_token(header.name))
      return invalid("Invalid header name: \"" + policy::printable(header.name) + "\"");
    if (!is_field_value(header.value)) return invalid("Invalid header value for \"" + header.name + "\"");
    bytes += header.name.size() + header.value.size();
  }
  if (bytes > kMaxRequestHeaderBytes) return invalid("the headers of a request are too long");
  std::erase_if(given, [](const Header& header) { return belongs_to_connection(header.name); });
  return given;
}

FetchResult<std::string> checked_method(std::string_view given) {
  if (!base::is_http_token(given) || given.size() > 64)
    return invalid("Invalid HTTP method: \"" + policy::printable(given) + "\"");
  for (const std::string_view refused : {"CONNECT", "TRACE", "TRACK"}) {
    if (base::equal_ignoring_case(given, refused)) return invalid("Method is forbidden: " + std::string(refused));
  }
  for (const std::string_view known : {"DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT"}) {
    if (base::equal_ignoring_case(given, known)) return std::string(known);
  }
  return std::string(given);
}

void keep_harmless_headers(Headers& headers) {
  std::erase_if(headers, [](const Header& header) { return !is_one_of(header.name, kHarmlessHeaders); });
}

void drop_body_headers(Headers& headers) {
  std::erase_if(headers, [](const Header& header) { return is_one_of(header.name, kBodyHeaders); });
}

}  // namespace glovebox::net
