// Numbers that states issue to people: US social security numbers by their rules, others by their check digits.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is where digits begin, and no letter or digit precedes.
std::optional<Finding> find_ssn(std::string_view text, std::size_t at);
std::optional<Finding> find_national_number(std::string_view text, std::size_t at);
// Britain's national insurance number, with or without spaces; `at` is where its two letters begin.
std::optional<Finding> find_insurance_number(std::string_view text, std::size_t at);
// A word of letters and digits, as a whole.
std::optional<Finding> find_national_word(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace glovebox::privacy
