// A capability from a registry: refused as a whole, or parsed to something that parses the same again and whose names
// need no escaping anywhere.
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "capability/metadata/metadata.h"
#include "expect.h"

namespace fuzz_capability {

FUZZ_TARGET(capability) {
  using namespace glovebox::capability;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto name = Fqdn::parse(text)) {
    FUZZ_EXPECT(name->text() == text);
    FUZZ_EXPECT(std::all_of(text.begin(), text.end(), [](unsigned char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '-' ||
             c == '_';
    }));
    FUZZ_EXPECT(text.find("..") == text.npos);
  }
  if (const auto integrity = Integrity::parse(text)) FUZZ_EXPECT(integrity->hex().size() == 64);
  if (const auto fetched = read_metadata(text)) {
    const std::string canonical = fetched->metadata.canonical();
    const auto again = read_metadata(canonical);
    FUZZ_EXPECT(again.ok());
    FUZZ_EXPECT(again->metadata.canonical() == canonical);
    for (const Dependency& dependency : fetched->metadata.dependencies)
      FUZZ_EXPECT(dependency.launch().find('\n') == std::string::npos);
  }
  return 0;
}

}  // namespace fuzz_capability
