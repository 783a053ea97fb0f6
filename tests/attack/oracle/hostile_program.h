// A hostile program in a guest of its own, under the oracle.
#pragma once

#include <string>
#include <vector>

namespace glovebox::attack {

// Registers each program of tests/attack/<group>/ as a test.
void register_programs(const std::vector<std::string>& groups);

}  // namespace glovebox::attack
