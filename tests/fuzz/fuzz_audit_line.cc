// A line of an audit log that an attacker may have written: what is read from it lies within it, and without the key no
// line is genuine.
#include <cstdint>
#include <string>
#include <string_view>

#include "expect.h"
#include "gateway/audit/audit_line.h"

namespace fuzz_audit_line {

namespace {

using namespace glovebox::gateway;

bool lies_in(std::string_view part, std::string_view line) {
  return part.empty() || (part.data() >= line.data() && part.data() + part.size() <= line.data() + line.size());
}

}  // namespace

FUZZ_TARGET(audit_line) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto head = AuditHead::of(text)) FUZZ_EXPECT(AuditHead::of(head->text()) == head);
  const auto line = read_audit_line(text);
  if (!line) return 0;
  for (const std::string_view part : {line->previous, line->hash, line->chain, line->covered})
    FUZZ_EXPECT(lies_in(part, text));
  FUZZ_EXPECT(line->previous.size() == 64 && line->hash.size() == 64);
  FUZZ_EXPECT(line->covered.size() < text.size());
  return 0;
}

}  // namespace fuzz_audit_line
