// What people have said about one call with one definition.
#pragma once

#include <string>

namespace glovebox::gateway {

struct Said {
  enum class Kind { kNothing, kPending, kApproved, kDenied } kind = Kind::kNothing;
  std::string approval{};
  std::string who{};
  std::string channel{};
  std::string reason{};
};

}  // namespace glovebox::gateway
