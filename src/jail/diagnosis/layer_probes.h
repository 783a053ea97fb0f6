// Probes the confinement layers of this machine: which are there, and what to do if one is missing. For messages to
// people; layers.h decides what a guest goes without.
#pragma once

#include <string>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::jail {

struct Layer {
  std::string name;
  bool present = false;
  std::string detail;      // what was found
  std::string blocked_by;  // if missing: what blocks it, and how that is known
  std::string remedy;      // if missing: the one thing to do about it
  std::string waived_by;   // its name for --degraded, if it may be missing
};

// Tries each layer for real, in a short-lived child where it would change this process.
std::vector<Layer> probe_layers();

bool can_make_user_namespace();

// Why namespaces were refused, with that error number, and what to do about it.
Failure refused_namespaces(int error_number);

}  // namespace glovebox::jail
