// A place in a text, and what stands there.
#pragma once

#include <cstddef>
#include <string_view>

#include "privacy/entity.h"

namespace glovebox::privacy {

// Below it a match is a coincidence more often than not.
constexpr double kReportedFrom = 0.5;

struct Finding {
  Entity entity = Entity::kSecret;
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  double score = 0;
  std::string_view kind;  // of a secret or an id: which; of a custom pattern: its name. Lives as long as the detector
};

}  // namespace glovebox::privacy
