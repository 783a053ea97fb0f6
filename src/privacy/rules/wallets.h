// Addresses of crypto currencies, by their checksums.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// A word of letters and digits, as a whole.
std::optional<Finding> find_wallet(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace glovebox::privacy
