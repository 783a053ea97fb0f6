#include "config/jsonc_edit.h"

#include <gtest/gtest.h>

namespace glovebox::config {
namespace {

constexpr const char* kFile = R"(// ours
{
  "sandbox": {"timeoutMs": 5}, // short
  "mcpServers": {
    // the first
    "a": {"command": "x"}, // remark on a
    "b": {
      "command": "y" // no comma
    }
    // the end
  },
}
)";

TEST(JsoncEdit, AddsAMemberAfterTheLast) {
  EXPECT_EQ(set_member(kFile, {"mcpServers", "c"}, R"({"command":"z","args":["1"]})").value(), R"(// ours
{
  "sandbox": {"timeoutMs": 5}, // short
  "mcpServers": {
    // the first
    "a": {"command": "x"}, // remark on a
    "b": {
      "command": "y" // no comma
    },
    // the end
    "c": {
      "command": "z",
      "args": [
        "1"
      ]
    }
  },
}
)");
}

TEST(JsoncEdit, KeepsTheHabitOfTrailingCommas) {
  EXPECT_EQ(set_member("{\n\t\"a\": 1,\n}\n", {"b"}, "{\"x\":2}").value(),
            "{\n\t\"a\": 1,\n\t\"b\": {\n\t\t\"x\": 2\n\t},\n}\n");
}

TEST(JsoncEdit, MakesWhatIsMissing) {
  EXPECT_EQ(set_member("", {"a", "b"}, "1").value(), "{\n  \"a\": {\n    \"b\": 1\n  }\n}\n");
  EXPECT_EQ(set_member("{}", {"a"}, "1").value(), "{\n  \"a\": 1\n}");
  EXPECT_EQ(set_member("{ // why\n}", {"a"}, "1").value(), "{ // why\n  \"a\": 1\n}");
  EXPECT_EQ(add_text("{\"x\": 1}", {"permissions", "allow"}, "a:*").value(),
            "{\"x\": 1, \"permissions\": {\"allow\":[\"a:*\"]}}");
  EXPECT_EQ(set_member("{\r\n  \"a\": 1\r\n}\r\n", {"b"}, "2").value(), "{\r\n  \"a\": 1,\r\n  \"b\": 2\r\n}\r\n");
}

TEST(JsoncEdit, ReplacesAValueInItsPlace) {
  EXPECT_EQ(set_member("{\"a\": 12.5e3 /* n */, \"b\": 2}", {"a"}, "true").value(), "{\"a\": true /* n */, \"b\": 2}");
  EXPECT_EQ(set_member("{\"a\": -1}", {"a"}, "\"t\"").value(), "{\"a\": \"t\"}");
}

TEST(JsoncEdit, RemovesAMemberWithItsLine) {
  EXPECT_EQ(remove_member(kFile, {"mcpServers", "a"}).value(), R"(// ours
{
  "sandbox": {"timeoutMs": 5}, // short
  "mcpServers": {
    // the first
    "b": {
      "command": "y" // no comma
    }
    // the end
  },
}
)");
  EXPECT_EQ(remove_member(kFile, {"mcpServers", "b"}).value(), R"(// ours
{
  "sandbox": {"timeoutMs": 5}, // short
  "mcpServers": {
    // the first
    "a": {"command": "x"} // remark on a
    // the end
  },
}
)");
  EXPECT_EQ(remove_member(kFile, {"mcpServers", "none"}).value(), kFile);
  EXPECT_EQ(remove_member(kFile, {"none", "a"}).value(), kFile);
  EXPECT_EQ(remove_member("{\"a\": 1, \"b\": 2, \"c\": 3}", {"b"}).value(), "{\"a\": 1, \"c\": 3}");
  EXPECT_EQ(remove_member("{\"a\": 1, \"b\": 2}", {"b"}).value(), "{\"a\": 1}");
  EXPECT_EQ(remove_member("{\"a\": 1}", {"a"}).value(), "{}");
}

TEST(JsoncEdit, AddsAndRemovesTexts) {
  EXPECT_EQ(add_text(R"({"l": ["a"]})", {"l"}, "b").value(), R"({"l": ["a", "b"]})");
  EXPECT_EQ(add_text(R"({"l": ["a"]})", {"l"}, "a").value(), R"({"l": ["a"]})");
  EXPECT_EQ(add_text(R"({"l": []})", {"l"}, "a").value(), R"({"l": ["a"]})");
  EXPECT_EQ(add_text("{\"l\": [\n  \"a\", // why\n  \"b\"\n]}", {"l"}, "c").value(),
            "{\"l\": [\n  \"a\", // why\n  \"b\",\n  \"c\"\n]}");
  EXPECT_EQ(remove_text(R"({"l": ["a", "b"]})", {"l"}, "a").value(), R"({"l": ["b"]})");
  EXPECT_EQ(remove_text(R"({"l": ["a", "b"]})", {"l"}, "c").value(), R"({"l": ["a", "b"]})");
  EXPECT_FALSE(add_text(R"({"l": {}})", {"l"}, "a").ok());
  EXPECT_FALSE(set_member(R"({"l": []})", {"l", "x"}, "1").ok());
  EXPECT_FALSE(set_member("{\"l\": ", {"x"}, "1").ok());
}

TEST(JsoncEdit, NeverTakesACommaOfAComment) {
  EXPECT_EQ(set_member("{\n  \"a\": 1 // x, y\n}", {"b"}, "2").value(), "{\n  \"a\": 1, // x, y\n  \"b\": 2\n}");
  EXPECT_EQ(remove_member("{\n  \"a\": 1 /* , */ , // }\n  \"b\": 2\n}", {"b"}).value(),
            "{\n  \"a\": 1 /* , */  // }\n}");
}

}  // namespace
}  // namespace glovebox::config
