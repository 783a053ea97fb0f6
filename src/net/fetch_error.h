// Why a request came to nothing.
#pragma once

#include <string>

#include "glovebox/result.h"

namespace glovebox::net {

struct FetchError {
  enum class Kind {
    kInvalid,    // the request itself is wrong: its URL, method or headers
    kDenied,     // not granted; `message` says what is missing
    kNetwork,    // the other side, or the way to it
    kLimit,      // it answered more than the run may take
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
