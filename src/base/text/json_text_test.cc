#include "base/text/json_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace glovebox::base {
namespace {

using namespace std::string_literals;

TEST(JsonString, QuotesPlainText) {
  EXPECT_EQ(json_string(""), R"("")");
  EXPECT_EQ(json_string("abc"), R"("abc")");
}

TEST(JsonString, EscapesWhatJsonForbids) {
  EXPECT_EQ(json_string("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(json_string("\n\r\t"), R"("\n\r\t")");
  EXPECT_EQ(json_string("\x01\x1f"), R"("\u0001\u001f")");
  EXPECT_EQ(json_string("a\0b"s), R"("a\u0000b")");
}

// Delete is legal in JSON, but a terminal obeys it.
TEST(JsonString, EscapesDelete) {
  EXPECT_EQ(json_string("\x7f"), R"("\u007f")");
}

TEST(JsonString, PassesUtf8Through) {
  EXPECT_EQ(json_string("é 漢 \xf0\x9f\x98\x80"), "\"é 漢 \xf0\x9f\x98\x80\"");
}

TEST(JsonString, EscapesAtBothEnds) {
  EXPECT_EQ(json_string("\"x\""), R"("\"x\"")");
}

TEST(JsonString, AppendsBehindWhatIsThere) {
  std::string out = "[";
  append_json_string(out, "a");
  EXPECT_EQ(out, R"(["a")");
}

std::string millis(double value) {
  std::string out;
  append_json_millis(out, value);
  return out;
}

TEST(JsonMillis, DropsZerosBehindThePoint) {
  EXPECT_EQ(millis(0), "0");
  EXPECT_EQ(millis(12), "12");
  EXPECT_EQ(millis(1200), "1200");
  EXPECT_EQ(millis(1.5), "1.5");
  EXPECT_EQ(millis(0.25), "0.25");
}

TEST(JsonMillis, RoundsToThreeDigits) {
  EXPECT_EQ(millis(1.23456), "1.235");
  EXPECT_EQ(millis(0.0001), "0");
}

// JSON has neither word, and a metric must never break the document around it.
TEST(JsonMillis, WritesZeroForWhatIsNoNumber) {
  EXPECT_EQ(millis(std::nan("")), "0");
  EXPECT_EQ(millis(std::numeric_limits<double>::infinity()), "0");
}

TEST(JsonMillis, IsValidJsonForAnyFiniteDouble) {
  const std::string largest = millis(std::numeric_limits<double>::max());
  EXPECT_GT(largest.size(), 300u);
  EXPECT_EQ(largest.find_first_not_of("0123456789"), std::string::npos) << largest;
  EXPECT_EQ(millis(-0.0), "0");
  EXPECT_EQ(millis(-0.0001), "0");
}

TEST(PrettyJson, IndentsNestedValues) {
  EXPECT_EQ(pretty_json(R"({"a":[1,2],"b":{"c":null}})"), R"({
  "a": [
    1,
    2
  ],
  "b": {
    "c": null
  }
})");
}

TEST(PrettyJson, KeepsScalarsAndEmptyContainersOnOneLine) {
  EXPECT_EQ(pretty_json("42"), "42");
  EXPECT_EQ(pretty_json(R"("a b")"), R"("a b")");
  EXPECT_EQ(pretty_json("{}"), "{}");
  EXPECT_EQ(pretty_json("[ ]"), "[]");
  EXPECT_EQ(pretty_json(R"([[],{}])"), "[\n  [],\n  {}\n]");
}

TEST(PrettyJson, LeavesStringsAlone) {
  EXPECT_EQ(pretty_json(R"(["a,b:{[\"]}\\",1])"), "[\n  \"a,b:{[\\\"]}\\\\\",\n  1\n]");
}

TEST(PrettyJson, UndoesEscapesThatHideAWord) {
  EXPECT_EQ(pretty_json(R"({"\u0072m":"\u002frf\n\"\u001b"})", true), "{\n  \"rm\": \"/rf\\n\\\"\\u001b\"\n}");
}

TEST(PrettyJson, ReplacesTheSpacesThatWereThere) {
  EXPECT_EQ(pretty_json("{ \"a\" :\n1 }"), "{\n  \"a\": 1\n}");
}

}  // namespace
}  // namespace glovebox::base
