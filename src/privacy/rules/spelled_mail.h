// E-mail addresses that are spelled out: bob (at) example.com, bob[at]example[dot]com, bob at example dot com,
// bob_at_example.com, BOB AT EXAMPLE.COM, bob @ example.com.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is where the word "at" begins.
std::optional<Finding> find_spelled_email(std::string_view text, std::size_t at);
// `at` is an @ beside a space.
std::optional<Finding> find_spaced_email(std::string_view text, std::size_t at);
// bob@example.com, however it is spelled.
std::string plain_email(std::string_view address);

}  // namespace glovebox::privacy
