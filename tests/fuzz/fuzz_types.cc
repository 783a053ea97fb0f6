// A tool of an untrusted server: server, name, alias, description, input and output schema, one per line (0x1e is a
// line break within one). Whatever they contain, the declarations are well formed and declare nothing else.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "declared_text.h"
#include "expect.h"
#include "types/declarations.h"
#include "types/limits.h"
#include "types/part_check.h"
#include "types/part_message.h"
#include "types/python_stubs.h"
#include "types/schema/translate.h"

namespace fuzz_types {

namespace {

using namespace glovebox::types;

// What the gateway would refuse of the process that reads schemas is never made.
Part checked(const PartQuestion& question) {
  Part part = translate(question);
  FUZZ_EXPECT(fault_in(question, part).empty());
  FUZZ_EXPECT(encode(*decode_question(encode(question))) == encode(question));
  FUZZ_EXPECT(encode(*decode_part(encode(part))) == encode(part));
  return part;
}

}  // namespace

FUZZ_TARGET(types) {
  std::vector<std::string> fields(1);
  for (const std::uint8_t byte : std::vector<std::uint8_t>(data, data + size)) {
    if (byte == '\n') {
      fields.emplace_back();
    } else {
      fields.back() += byte == 0x1e ? '\n' : static_cast<char>(byte);
    }
  }
  fields.resize(6);
  const ToolShape tool{.server = fields[0],
                       .name = fields[1],
                       .alias = fields[2],
                       .description = fields[3],
                       .input_schema = fields[4],
                       .output_schema = fields[5]};
  ToolShape other = tool;
  other.name += "x";
  other.server_alias = fields[2];
  for (const Form form : {Form::kCompact, Form::kFull}) {
    const std::string all = declare_all({tool, other}, form, checked, {{fields[2], fields[1]}});
    FUZZ_EXPECT(all.size() < 4 * kMostDeclarationBytes + 64 * size + 4096);
    check_typescript(all, false);
    check_typescript(declare_tool(tool, form, checked), true);
  }
  check_python(python_stubs({tool, other}, checked));
  return 0;
}

}  // namespace fuzz_types
