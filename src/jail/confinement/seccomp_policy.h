// The system calls that a guest may make, as data: the filter, the golden table, SECURITY.md and the tests all read
// this.
#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::jail {

// (argument & mask) == value
struct ArgumentRule {
  unsigned argument;
  std::uint64_t mask;
  std::uint64_t value;
};

struct AllowedCall {
  const char* name;
  int number;
  std::vector<ArgumentRule> rules;  // all must hold; several rows of one call are alternatives
  const char* condition;            // the rules in words
  const char* reason;
};

std::span<const AllowedCall> allowed_calls();

// The table as text, one line per row: compared with tests/golden/syscalls.txt.
std::string describe_allowed_calls();

// Compiles the table. Everything else kills the whole process, a foreign architecture included.
Result<std::vector<sock_filter>> compile_seccomp_filter();

// The same for another process of ours, with a table of its own.
enum class Otherwise { kKill, kRefuse /* EPERM */ };
Result<std::vector<sock_filter>> compile_seccomp_filter(std::span<const AllowedCall> table, Otherwise otherwise);

}  // namespace glovebox::jail
