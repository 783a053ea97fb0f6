// Values that are assigned to the name of a secret: password=…, "api_key": "…", Authorization: Bearer …; and on command
// lines, --token …, mysql -p….
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// In each the finding is the value alone. `at` is a colon or an equals sign.
std::optional<Finding> find_assigned_secret(std::string_view text, std::size_t at);
// `at` is a dash preceded by a space, or by nothing.
std::optional<Finding> find_option_secret(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
