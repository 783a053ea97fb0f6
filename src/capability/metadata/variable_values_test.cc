#include "capability/metadata/variable_values.h"

#include <gtest/gtest.h>

namespace glovebox::capability {
namespace {

TEST(VariableValues, CountPlaceholdersAsMissing) {
  for (const std::string_view value : {"", "  ", "xxx", "XXXX", "xxxx-xxxx", "TODO", "todo: get one", "<your key>",
                                       "<key>", "changeme", "CHANGE_ME", "your-api-key-here", "placeholder"})
    EXPECT_TRUE(is_placeholder(value)) << value;
  for (const std::string_view value : {"sk-123", "x", "xy", "a<b>", "0", "todos", "hunter2", "xxa"})
    EXPECT_FALSE(is_placeholder(value)) << value;
}

TEST(VariableValues, AreThoseThatWereDeclared) {
  const auto found = values_of({"A", "B", "C"}, [](std::string_view name) -> std::optional<std::string> {
    if (name == "A") return "1";
    if (name == "B") return "TODO";
    return std::nullopt;
  });
  EXPECT_EQ(found.values, (std::map<std::string, std::string>{{"A", "1"}}));
  EXPECT_EQ(found.missing, (std::vector<std::string>{"B", "C"}));
}

}  // namespace
}  // namespace glovebox::capability
