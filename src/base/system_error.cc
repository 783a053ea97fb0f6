#include "base/system_error.h"

#include <cstring>

namespace glovebox::base {

Failure system_failure(int error_number, std::string what) {
  char buffer[128];
  what += ": ";
  what += ::strerror_r(error_number, buffer, sizeof buffer);
  return {ErrorCode::kSystem, std::move(what)};
}

}  // namespace glovebox::base
