// A file that holds a key and is its user's alone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::base {

// A key of so many bytes. The file and its folder must be the user's own, closed to others, and no links. kNotFound:
// there is none.
Result<std::string> read_key_file(const std::string& path, std::size_t size);

// In a folder as above. Whole under its name or not there at all, and on the disk when this returns. Of several that
// make one at once, the first one's stays: the caller reads the file afterwards.
Result<void> make_key_file(const std::string& path, std::string_view bytes);

}  // namespace glovebox::base
