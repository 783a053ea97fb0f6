// Secrets on command lines: --token …, mysql -p…, docker login -p …, curl -u bob:….
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is a dash preceded by a space, or by nothing.
std::optional<Finding> find_option_secret(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
