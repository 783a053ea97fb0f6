// The confinement layers of this machine, each tried for real: which are there, and what to do when one is missing.
// Says so to people; what a guest goes without is decided in layers.h.
#pragma once

#include <string>
#include <vector>

#include "glovebox/result.h"

namespace glovebox::jail {

struct Layer {
  std::string name;
  bool present = false;
  std::string detail;      // what was found
  std::string blocked_by;  // when it is missing: what keeps it from us, and how that is known
  std::string remedy;      // when it is missing: the one thing to do about it
  std::string waived_by;   // what --degraded calls it, where it may be missing
};

// Tries each layer for real, in a short-lived child where it would change this process.
std::vector<Layer> probe_layers();

bool can_make_user_namespace();

// Why namespaces were refused, with that error number, and what to do about it.
Failure refused_namespaces(int error_number);

}  // namespace glovebox::jail
