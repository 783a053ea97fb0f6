// The confinement layers that an owner may go without, and which of them this machine lacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glovebox::jail {

// Cheap tests of single layers, for every start.
int landlock_abi();
bool timestamp_trap_works();

// Names that --degraded accepts, and their bits in the zygote's greeting. 0 for an unknown name.
std::uint32_t layer_bit(const std::string& name);
// The same the other way round, and "user-namespace" where root has made the others without one.
std::vector<std::string> names_of_layers(std::uint32_t bits);
std::string degradable_layer_names();
// Of these names, those that this machine really lacks, and "user-namespace" where root makes the others without one.
// Tries them for real: once, at a start.
std::vector<std::string> missing_among(const std::vector<std::string>& names);

}  // namespace glovebox::jail
