// Whatever a guest prints: what reaches the terminal is valid text without anything that the terminal would obey.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "expect.h"

namespace fuzz_log_text {

FUZZ_TARGET(log_text) {
  using namespace glovebox;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (!base::is_utf8(text)) return 0;
  const std::string shown = base::neutralise(text);
  FUZZ_EXPECT(base::is_utf8(shown));
  FUZZ_EXPECT(base::neutralise(shown) == shown);
  for (const char c : shown) FUZZ_EXPECT(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20);
  for (const char* forbidden :
       {"\x7f", "\xc2\x80", "\xc2\x9b", "\xe2\x80\xae", "\xe2\x80\xa8", "\xe2\x81\xa6", "\xd8\x9c"}) {
    FUZZ_EXPECT(shown.find(forbidden) == std::string::npos);
  }
  FUZZ_EXPECT(shown.size() >= text.size());
  return 0;
}

}  // namespace fuzz_log_text
