// Why a request failed.
#pragma once

#include <string>

#include "glovebox/result.h"

namespace glovebox::net {

struct FetchError {
  enum class Kind {
    kInvalid,    // the request itself is wrong: its URL, method or headers
    kDenied,     // not granted; `message` says what is missing
    kNetwork,    // the server, or the connection to it
    kLimit,      // the response is larger than the run may receive
    kTimeout,    // the caller's deadline passed
    kCancelled,  // by the caller, or with its run
  };
  Kind kind = Kind::kNetwork;
  std::string message;
  std::string target;  // HOST:PORT of what was denied
};

template <typename T>
using FetchResult = Result<T, FetchError>;

}  // namespace glovebox::net
