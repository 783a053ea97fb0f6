// The client as a library that is loaded on first use. Curl and its dependencies take 5 ms to load, a quarter of the
// run time of a short program of ours.
#pragma once

#include <memory>
#include <string>

#include "glovebox/result.h"
#include "net/http_client.h"

namespace glovebox::net {

// The only symbol that libglovebox-net.so exports.
inline constexpr const char* kMakeHttpClient = "glovebox_make_http_client";
using MakeHttpClient = HttpClient*();

}  // namespace glovebox::net
