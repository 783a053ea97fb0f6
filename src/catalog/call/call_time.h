// How long a call may be without an answer or progress of its server, and which config key sets that.
#pragma once

#include <chrono>
#include <string>

#include "catalog/catalog.h"

namespace glovebox::catalog {

struct CallTime {
  std::chrono::milliseconds limit;
  std::string key;  // the key that raises it, for the error; empty: none does
};

CallTime call_time(const config::ServerSpec& server, const CallOptions& options);

}  // namespace glovebox::catalog
