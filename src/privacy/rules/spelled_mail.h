// E-mail addresses that are spelled out: bob (at) example.com, bob[at]example[dot]com, bob at example dot com.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// `at` is where the word "at" begins.
std::optional<Finding> find_spelled_email(std::string_view text, std::size_t at);
// bob@example.com, however it is spelled.
std::string plain_email(std::string_view address);

}  // namespace glovebox::privacy
