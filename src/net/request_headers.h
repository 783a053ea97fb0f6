// Which headers of a guest are sent, and which of them are kept for another origin.
#pragma once

#include <string_view>

#include "net/fetch_error.h"
#include "net/http_message.h"

namespace glovebox::net {

// Refuses invalid headers (injected lines, bytes that no field may hold) and drops, as fetch does, those that belong to
// the connection: a guest that could set Host or Content-Length would reach another server than the one that was
// checked, or smuggle a second request.
FetchResult<Headers> checked_request_headers(Headers given);

// GET, POST, … in normalized form. Refuses CONNECT, TRACE and TRACK, as fetch does, and what is not a token.
FetchResult<std::string> checked_method(std::string_view given);

// Keeps only headers that carry no secret. The target of a redirect is not the one that the caller trusted with the
// rest, and a secret may be in a header of any name.
void keep_harmless_headers(Headers& headers);

// Drops headers that describe a body which is no longer sent.
void drop_body_headers(Headers& headers);

const Header* find_header(const Headers& headers, std::string_view name);

}  // namespace glovebox::net
