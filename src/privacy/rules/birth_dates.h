// Dates of birth: a date, and a word before it that marks it as one.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is where digits begin, or the name of a month.
std::optional<Finding> find_birth_date(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
