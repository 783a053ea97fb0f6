// JSON in its one canonical form (RFC 8785): members sorted, numbers as ECMAScript writes them, no spaces. Two texts
// have the same form only if they mean the same.
#pragma once

#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::base {

// Fails for what is no JSON, holds a name twice, is too deep, or has a number that a double does not hold: then two
// different texts would have one form.
Result<std::string> canonical_json(std::string_view json);

}  // namespace glovebox::base
