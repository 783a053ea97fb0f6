// Output of a skill process: its definitions, which become classes and signatures, and its errors, of which agents see
// a part.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/text/json_slice.h"
#include "catalog/call/reported_failure.h"
#include "catalog/tool_classes.h"
#include "expect.h"
#include "skills/signature.h"

namespace fuzz_skill_words {

using namespace glovebox;

FUZZ_TARGET(skill_words) {
  if (size > 64 * 1024) return 0;
  const std::string text(reinterpret_cast<const char*>(data), size);

  // One definition gives one tool or one class, and stays one definition.
  const catalog::ToolClasses split = catalog::split_classes({text});
  FUZZ_EXPECT(split.others.size() + split.classes.size() == 1);
  for (const auto& [name, definitions] : split.classes) {
    FUZZ_EXPECT(definitions.size() == 1 && name.find('.') == name.npos);
    FUZZ_EXPECT(base::check_json(definitions.front(), {.unique_keys = true}).ok());
  }

  catalog::Tool tool;
  tool.name = "f";
  tool.input_schema = text;
  tool.output_schema = text;
  const std::string signature = skills::python_signature(tool);
  FUZZ_EXPECT(signature.starts_with("f(") && signature.size() <= 4096 && signature.find('\n') == signature.npos);

  const catalog::CallFailure failure = catalog::reported_failure({"TOOL_ERROR", text, true});
  FUZZ_EXPECT(failure.detail == text);
  FUZZ_EXPECT(failure.message.find("Traceback (most recent call last)") == std::string::npos);
  const auto characters = std::count_if(failure.message.begin(), failure.message.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; });
  FUZZ_EXPECT(characters <= 500);
  // Removing paths is idempotent.
  const std::string once = catalog::without_host_paths(text);
  FUZZ_EXPECT(catalog::without_host_paths(once) == once);
  return 0;
}

}  // namespace fuzz_skill_words
