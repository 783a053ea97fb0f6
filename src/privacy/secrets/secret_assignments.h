// Values that are assigned to the name of a secret: password=…, "api_key": "…", Authorization: Bearer ….
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// The finding is the value alone. `at` is a colon, an equals sign, or the end of a tag.
std::optional<Finding> find_assigned_secret(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
