// JSON as a guest would write it after reading it: the text that a result or an argument would have had.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>

namespace glovebox::gateway {

enum class GuestReading { kWritten, kTooDeep, kUnreadable };

// Appends `json` to `out`. Unlike in a guest, integer keys are not sorted to the front of an object. Text that readers
// of outcomes refuse is unreadable too: half of a surrogate pair, an exponent beyond 32 bits.
GuestReading write_as_guest(std::string_view json, std::string& out);
void write_tree_as_guest(const boost::json::value& tree, std::string& out);

}  // namespace glovebox::gateway
