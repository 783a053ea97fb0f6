// JSON as a guest writes what it has read: the text that a result or an argument would have had by way of its engine.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::gateway {

// What JSON does not have is null.
void append_guest_number(std::string& out, double number);

enum class GuestReading { kWritten, kTooDeep, kUnreadable };

// Appends `json` to `out`. Only the order of an object's members is kept where a guest would have sorted integers to
// the front. Unreadable is also what those who read outcomes refuse: half of a surrogate pair, an exponent beyond 32
// bits.
GuestReading write_as_guest(std::string_view json, std::string& out);

}  // namespace glovebox::gateway
