// An untrusted schema and an untrusted value, one per line: neither crashes the check nor keeps it busy for long.
#include <cstdint>
#include <string_view>

#include "expect.h"
#include "mcp/http/header_value.h"
#include "mcp/json/json_tree.h"
#include "mcp/json/schema.h"

namespace fuzz_mcp_schema {

FUZZ_TARGET(mcp_schema) {
  using namespace glovebox::mcp;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t line = std::min(text.find('\n'), text.size());
  const auto schema_text = parse_tree(text.substr(0, line));
  if (!schema_text) return 0;
  if (schema_text->is_object()) (void)mirrored_arguments(schema_text->get_object());
  const auto schema = Schema::compile(*schema_text);
  if (!schema) return 0;
  const auto value = parse_tree(line < text.size() ? text.substr(line + 1) : std::string_view("null"));
  if (!value) return 0;
  const auto mismatch = schema->check(*value);
  if (mismatch) FUZZ_EXPECT(!mismatch->message.empty());
  return 0;
}

}  // namespace fuzz_mcp_schema
