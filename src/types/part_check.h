// Whether a part fits where it is put: it is text without control characters, has one of the few forms that parts have,
// and declares nothing but types whose names begin with its prefix. Its maker is not trusted. What the types say is not
// checked, since a server may say anything about its own tools.
#pragma once

#include <string_view>

#include "types/part.h"

namespace glovebox::types {

// Why it does not; empty if it does.
std::string_view fault_in(const PartQuestion& question, const Part& part);

}  // namespace glovebox::types
