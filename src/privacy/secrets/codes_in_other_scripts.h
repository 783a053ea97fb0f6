// Codes beside their names in Chinese, Japanese, Korean, Russian and the like, which have no words of ASCII.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "privacy/finding.h"

namespace glovebox::privacy {

// "验证码：482913", "код подтверждения 482913": `begin` to `end` are digits next to a letter of another script.
std::optional<Finding> find_code_in_other_script(std::string_view text, std::size_t begin, std::size_t end);
bool is_next_to_other_script(std::string_view text, std::size_t begin, std::size_t end);

}  // namespace glovebox::privacy
