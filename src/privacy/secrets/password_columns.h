// Passwords in tables whose header names their column: CSV, and rows that SQL inserts.
#pragma once

#include <string_view>
#include <vector>

#include "privacy/finding.h"

namespace glovebox::privacy {

// [begin, end) is a word for which may_name_password is true.
void find_password_column(std::string_view text, std::size_t begin, std::size_t end, std::vector<Finding>& found);

}  // namespace glovebox::privacy
