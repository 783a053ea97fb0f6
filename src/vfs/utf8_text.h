// Names on a disk are bytes; what leaves for the guest is text.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::vfs {

// `bytes` with U+FFFD for what is not UTF-8. Such a name can be seen, but not opened by what is shown.
std::string utf8_text(std::string_view bytes);

}  // namespace glovebox::vfs
