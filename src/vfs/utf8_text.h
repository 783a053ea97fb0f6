// Names on a disk are bytes; the guest gets text.
#pragma once

#include <string>
#include <string_view>

namespace glovebox::vfs {

// `bytes` with U+FFFD for what is not UTF-8. Such a name can be listed, but not opened by the text shown.
std::string utf8_text(std::string_view bytes);

}  // namespace glovebox::vfs
