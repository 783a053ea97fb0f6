// The failure for a row that this program cannot have written.
#pragma once

#include <string>

#include "glovebox/result.h"

namespace glovebox::store {

inline Failure damaged(const char* what) {
  return {ErrorCode::kProtocol, std::string("the store is damaged: it contains an unknown ") + what};
}

}  // namespace glovebox::store
