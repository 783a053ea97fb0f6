// Which headers of a guest go out, and which of them go on to another origin.
#pragma once

#include <string_view>

#include "net/fetch_error.h"
#include "net/http_message.h"

namespace glovebox::net {

// Refuses what is no header (injected lines, bytes that no field may hold) and drops, as fetch does, those that belong
// to the connection: a guest that could set Host or Content-Length would speak to another server than the one that was
// checked, or smuggle a second request.
FetchResult<Headers> checked_request_headers(Headers given);

// GET, POST, … in the form that goes out. Refuses CONNECT, TRACE and TRACK, as fetch does, and what is no token.
FetchResult<std::string> checked_method(std::string_view given);

// Keeps only headers that carry no secret. Whoever a redirect leads to is not who the caller trusted with the rest, and
// a secret may stand in a header of any name.
void keep_harmless_headers(Headers& headers);

// Those that describe a body which is no longer sent.
void drop_body_headers(Headers& headers);

// A name that a field may have.
bool is_header_name(std::string_view text);

bool equal_ignoring_case(std::string_view left, std::string_view right);
const Header* find_header(const Headers& headers, std::string_view name);

}  // namespace glovebox::net
