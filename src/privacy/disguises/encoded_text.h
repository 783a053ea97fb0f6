// Runs of base64 that may hold a text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace glovebox::privacy {

// Where the run of base64 that begins at `at` ends. Lines of one length that follow one another are one run.
std::size_t base64_run_end(std::string_view text, std::size_t at);

// Calls `with` with each reading of the run that is mostly text, until it says true. An encoder may have begun at any
// of four places, since what stands before it may be of the same alphabet.
bool each_base64_text(std::string_view run, const std::function<bool(std::string_view)>& with);

}  // namespace glovebox::privacy
