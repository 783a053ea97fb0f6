// International bank account numbers: the length that the country has, and mod 97.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is where a word begins.
std::optional<Finding> find_iban(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
