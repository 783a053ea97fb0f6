#include "net/redirect.h"

#include "base/characters/ascii.h"
#include "base/try.h"
#include "net/request_headers.h"

namespace glovebox::net {

FetchError network_error(const RequestUrl& url, std::string_view reason) {
  return {FetchError::Kind::kNetwork, "error sending request for url (" + url.text() + "): " + std::string(reason), ""};
}

bool is_redirect(int status, const Headers& headers) {
  const bool by_status = status == 301 || status == 302 || status == 303 || status == 307 || status == 308;
  return by_status && find_header(headers, "location");
}

FetchResult<Hop> next_hop(const Hop& current, int status, const Headers& response_headers, bool replayable) {
  const Header* location = find_header(response_headers, "location");
  GLOVEBOX_CHECK(location != nullptr);
  for (const Header& header : response_headers) {
    if (base::equal_ignoring_case(header.name, "location") && header.value != location->value) {
      return network_error(current.url, "the redirect names two locations");
    }
  }
  auto url = current.url.resolve(location->value);
  if (!url) return network_error(current.url, "the redirect has no valid target: " + url.failure().message);
  Hop next{current.method, std::move(*url), current.headers, current.with_body};
  const bool becomes_get = (status == 303 && next.method != "GET" && next.method != "HEAD") ||
                           ((status == 301 || status == 302) && next.method == "POST");
  if (becomes_get) {
    next.method = "GET";
    next.with_body = false;
    drop_body_headers(next.headers);
  }
  if (next.with_body && !replayable) {
    return network_error(current.url, "the redirect needs the body again, but it was streamed");
  }
  if (!next.url.same_origin(current.url)) keep_harmless_headers(next.headers);
  return next;
}

}  // namespace glovebox::net
