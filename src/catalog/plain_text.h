// Untrusted text in messages: always UTF-8, and bounded.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace glovebox::catalog {

// `text` with a U+FFFD for each byte that is not valid UTF-8, and with … where it was cut.
std::string plain_text(std::string_view text, std::size_t most_bytes = 4096);

}  // namespace glovebox::catalog
