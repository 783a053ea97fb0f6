// The confinement layers of this kernel: which are there, what each is for, what to do when one is missing.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace glovebox::jail {

struct Layer {
  std::string name;  // as --degraded takes it, where it may be missing
  bool present = false;
  bool may_be_missing = false;  // with the owner's explicit word
  std::string detail;           // what was found
  std::string remedy;           // what to do when it is missing
};

// Tries each layer for real, in a short-lived child where it would change this process.
std::vector<Layer> probe_layers();

// Cheap tests of single layers, for every start.
int landlock_abi();
bool timestamp_trap_works();

// Names that --degraded accepts, and their bits in the zygote's greeting. 0 for an unknown name.
std::uint32_t layer_bit(const std::string& name);
std::vector<std::string> names_of_layers(std::uint32_t bits);
std::string degradable_layer_names();

}  // namespace glovebox::jail
