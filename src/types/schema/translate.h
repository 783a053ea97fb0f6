// JSON Schemas of untrusted servers to parts of declarations. Runs in a process of its own, which is sealed before it
// reads the first schema (types/program/): no gateway links this.
#pragma once

#include "types/part.h"

namespace glovebox::types {

Part translate(const PartQuestion& question);

}  // namespace glovebox::types
