// What the process that reads schemas may send once a schema has taken it over: the first byte says which kind of part
// was asked for, the rest is the answer. Whatever it is, declarations with it are well formed and declare nothing else.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "declared_text.h"
#include "expect.h"
#include "types/declarations.h"
#include "types/part_check.h"
#include "types/part_message.h"
#include "types/python_stubs.h"

namespace fuzz_type_parts {

using namespace glovebox::types;

FUZZ_TARGET(type_parts) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (text.empty()) return 0;
  (void)decode_question(text);
  const auto part = decode_part(text.substr(1));
  if (!part) return 0;
  const auto ask = [&](const PartQuestion& question) {
    return fault_in(question, *part).empty() ? *part : open_part(question, "refused");
  };
  const std::vector<ToolShape> tools = {{.server = "s", .name = "t", .input_schema = "{}"}};
  if (text[0] % 3 == 2) {
    const std::string stubs = python_stubs(tools, ask);
    check_python(stubs);
    FUZZ_EXPECT(stubs.find("    def t(self") != stubs.npos);
    FUZZ_EXPECT(stubs.ends_with("class _mcp:\n    s: _s\n    ...\n\nmcp: _mcp\n"));
    return 0;
  }
  const Form form = text[0] % 3 == 1 ? Form::kFull : Form::kCompact;
  check_typescript(declare_all(tools, form, ask), false);
  check_typescript(declare_tool(tools.front(), form, ask), true);
  return 0;
}

}  // namespace fuzz_type_parts
