// Runs of base64 that may encode a text.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace glovebox::privacy {

// Where the run of base64 that begins at `at` ends. Consecutive lines of equal length are one run.
std::size_t base64_run_end(std::string_view text, std::size_t at);

// Calls `with` with each decoding of the run that is mostly text, until it returns true. The encoding may have begun at
// any of four offsets, since the text before it may consist of the same alphabet.
bool each_base64_text(std::string_view run, const std::function<bool(std::string_view)>& with);

}  // namespace glovebox::privacy
