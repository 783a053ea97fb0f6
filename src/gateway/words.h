// Small pieces of text that several files of this layer make: ids, digests, times, JSON of doubtful bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace glovebox::gateway {

// `prefix` and 130 bits of chance: nobody guesses another's.
std::string random_id(std::string_view prefix);
std::string hex_of(std::string_view bytes);
std::string sha256_hex(std::string_view bytes);
// 2026-11-15T16:07:31.123Z
std::string iso_time(std::int64_t milliseconds_since_1970);
// Its beginning, of at most so many bytes and whole characters.
std::string_view beginning_of(std::string_view text, std::size_t most);
// As a JSON string; what is not UTF-8 is replaced.
std::string json_text(std::string_view text);

}  // namespace glovebox::gateway
