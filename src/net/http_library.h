// The client as a library that is loaded when it is first needed. Curl and what it brings take 5 ms to load, a quarter
// of what a program of ours takes from its start to its end.
#pragma once

#include <memory>
#include <string>

#include "glovebox/result.h"
#include "net/http_client.h"

namespace glovebox::net {

// The only name that libglovebox-net.so gives away.
inline constexpr const char* kMakeHttpClient = "glovebox_make_http_client";
using MakeHttpClient = HttpClient*();

}  // namespace glovebox::net
