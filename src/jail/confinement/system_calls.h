// The system calls that a process may make, as data: filters, SECURITY.md and tests all read it.
#pragma once

#include <linux/filter.h>

#include <array>
#include <cstdint>
#include <span>

namespace glovebox::jail {

inline constexpr std::uint64_t kAllBits = ~std::uint64_t{0};

// (argument & mask) == value. Without a mask the rule is unused.
struct ArgumentRule {
  unsigned argument = 0;
  std::uint64_t mask = 0;
  std::uint64_t value = 0;
};

struct AllowedCall {
  const char* name;
  int number;
  const char* condition;  // the rules in words, or "-"
  const char* reason;
  std::array<ArgumentRule, 2> rules = {};  // all must hold; several rows of one call are alternatives
};

// What happens to every other call. One in another architecture's convention always kills.
enum class Otherwise : char { kKill, kRefuse /* EPERM */ };

struct SystemCallFilter {
  std::span<const AllowedCall> calls;
  Otherwise otherwise;
};

}  // namespace glovebox::jail
