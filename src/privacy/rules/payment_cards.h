// Numbers of payment cards: a known issuer and length, and Luhn's checksum.
#pragma once

#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is where digits begin.
std::optional<Finding> find_card(std::string_view text, std::size_t at);
// Beside a word for it a card may be in any groups, with any marks between them, also in brackets.
std::optional<Finding> find_named_card(std::string_view text, std::size_t at);

}  // namespace glovebox::privacy
