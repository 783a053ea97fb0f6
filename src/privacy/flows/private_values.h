// Fingerprints of the private values in a JSON text, and of those parts that identify as much as the whole.
#pragma once

#include <string_view>

#include "privacy/detector.h"
#include "privacy/flows/value_prints.h"

namespace glovebox::privacy {

void add_private_values(const Detector& detector, std::string_view json, ValuePrints& prints);

}  // namespace glovebox::privacy
