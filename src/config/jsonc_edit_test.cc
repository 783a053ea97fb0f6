#include "config/jsonc_edit.h"

#include <gtest/gtest.h>

#include <random>

#include "base/proving.h"

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

// Whatever the file's style, adding a value and removing it again leaves the same values.
TEST(JsoncEdit, ChangesNothingElse) {
  std::mt19937 random(7);
  const auto any = [&](std::size_t below) { return random() % below; };
  constexpr std::string_view kPieces[] = {"{", "}",     "[",      "]",  ",", ":",    "\"k\"",
                                          "1", "//c\n", "/*c,*/", "\n", " ", "\r\n", "\t"};
  std::size_t edited = 0;
  const std::size_t rounds = base::random_rounds(20'000);
  for (std::size_t round = 0; round < rounds; ++round) {
    std::string text = kFile;
    for (std::size_t change = 0; change < 1 + any(3); ++change) {
      const std::size_t at = any(text.size());
      if (any(2) == 0) {
        text.insert(at, kPieces[any(std::size(kPieces))]);
      } else {
        text.erase(at, 1 + any(4));
      }
    }
    const auto before = parse_jsonc(text);
    if (!before || !before->as<JsonObject>()) continue;
    ++edited;
    const std::string values = to_json(*before, text);
    const auto with = set_member(text, {"zz"}, R"({"a":[1,"}"]})");
    ASSERT_TRUE(with.ok()) << text;
    const auto parsed = parse_jsonc(*with);
    const std::string expected =
        values == "{}" ? R"({"zz":{"a":[1,"}"]}})" : values.substr(0, values.size() - 1) + R"(,"zz":{"a":[1,"}"]}})";
    ASSERT_EQ(to_json(*parsed, *with), expected) << text << "\n->\n" << *with;
    const auto without = remove_member(*with, {"zz"});
    ASSERT_TRUE(without.ok()) << *with;
    ASSERT_EQ(to_json(*parse_jsonc(*without), *without), values) << *with << "\n->\n" << *without;
    for (const JsonMember& member : *before->as<JsonObject>()) {
      const auto less = remove_member(text, {member.key});
      ASSERT_TRUE(less.ok()) << text << "\n" << member.key;
      ASSERT_EQ(parse_jsonc(*less)->as<JsonObject>()->size() + 1, before->as<JsonObject>()->size());
      // Comments on other lines stay.
      ASSERT_EQ(text.find("// ours") == text.npos, less->find("// ours") == less->npos);
    }
  }
  EXPECT_GT(edited, rounds / 10);
}

}  // namespace
}  // namespace glovebox::config
