#include "types/part.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

TEST(Part, NamesOfPythonTypesAreKnown) {
  const std::vector<std::string> names = python_names_in(
      "class _s_A(TypedDict):\n    _b: str\n_s_B = TypedDict(\"_s_B\", {\n    \"c\": str,\n})\n_s_C: TypeAlias = "
      "\"str\"\n");
  EXPECT_EQ(names, (std::vector<std::string>{"_s_A", "_s_B", "_s_C"}));
  EXPECT_TRUE(python_names_in("").empty());
}

TEST(Part, AnOpenOneTakesAnyCall) {
  PartQuestion question;
  EXPECT_EQ(open_part(question, "why").signatures.front(), "(args?: any /* why */): Promise<any>");
  question.output_schema = "{}";
  EXPECT_EQ(open_part(question, "why").signatures.front(), "(args?: any /* why */): Promise<any /* why */>");
  question.kind = PartKind::kPython;
  EXPECT_EQ(open_part(question, "why").signatures.front(),
            "(self, args: dict[str, Any] = ..., /, **named: Any) -> Any");
}

}  // namespace
}  // namespace glovebox::types
