// Telephone numbers. There is no checksum: the notation and the words around it decide.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is a plus, a bracket or a digit, and no letter or digit precedes.
std::optional<Finding> find_phone(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
