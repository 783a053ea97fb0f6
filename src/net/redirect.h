// Where a redirect leads and what is sent there, as in the fetch standard. No I/O, so every rule is a row in a table.
#pragma once

#include <string>

#include "net/fetch_error.h"
#include "net/http_message.h"
#include "net/request_url.h"

namespace glovebox::net {

// One request on the way to a response.
struct Hop {
  std::string method;
  RequestUrl url;
  Headers headers;
  bool with_body = false;
};

// Whether a response with this head sends the client elsewhere.
bool is_redirect(int status, const Headers& headers);

// The hop after `current`. `replayable`: whether the body could be sent once more. Grants are not checked here.
FetchResult<Hop> next_hop(const Hop& current, int status, const Headers& response_headers, bool replayable);

// error sending request for url (URL): REASON, as Deno words it.
FetchError network_error(const RequestUrl& url, std::string_view reason);

}  // namespace glovebox::net
