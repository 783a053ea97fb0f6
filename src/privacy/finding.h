// A range of a text, and what is there.
#pragma once

#include <cstddef>
#include <string_view>

#include "privacy/entity.h"

namespace glovebox::privacy {

// Below it a match is more likely a coincidence.
constexpr double kReportedFrom = 0.5;

struct Finding {
  Entity entity = Entity::kSecret;
  std::size_t begin = 0;  // bytes
  std::size_t end = 0;
  double score = 0;
  std::string_view kind;  // of a secret or an id: which; of a custom pattern: its name. Owned by the detector
};

}  // namespace glovebox::privacy
