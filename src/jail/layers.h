// The confinement layers that an owner may go without, and which of them this machine lacks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glovebox::jail {

// Cheap checks of single layers, for every start.
int landlock_abi();
bool timestamp_trap_works();

// The bit in the zygote's greeting for a name that --degraded accepts; 0 for an unknown name.
std::uint32_t layer_bit(const std::string& name);
// The names of these bits, and "user-namespace" if root made the other namespaces without one.
std::vector<std::string> names_of_layers(std::uint32_t bits);
std::string degradable_layer_names();
// Of these names, those that this machine really lacks, and "user-namespace" if root makes the others without one.
// Probes for real: call it once, at start.
std::vector<std::string> missing_among(const std::vector<std::string>& names);

}  // namespace glovebox::jail
