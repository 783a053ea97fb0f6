#include "types/python_text.h"

#include <gtest/gtest.h>

namespace glovebox::types {
namespace {

TEST(PythonText, QuotesWhatCouldEndAString) {
  EXPECT_EQ(python_string("a\"b\\c\n*/"), R"("a\"b\\c\u000a*/")");
  EXPECT_EQ(python_string("\xf3\xa0\x80\x81"), R"("\U000e0001")");
}

TEST(PythonText, KnowsNames) {
  for (const char* name : {"path", "_x", "match", "type"}) EXPECT_TRUE(is_python_name(name)) << name;
  for (const char* name : {"", "class", "None", "a-b", "$a", "__x", "1a", "é"})
    EXPECT_FALSE(is_python_name(name)) << name;
}

TEST(PythonText, EndsNoDocumentation) {
  EXPECT_EQ(python_doc("a\"\"\" b\\\nc", 100, 2), "  \"\"\"a\\\"\\\"\\\" b\\\\\n  c\"\"\"\n");
  EXPECT_EQ(python_doc(" \n", 100, 2), "");
}

}  // namespace
}  // namespace glovebox::types
