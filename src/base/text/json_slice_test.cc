#include "base/text/json_slice.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(JsonSlices, GivesTheTextOfEachMember) {
  const auto slices = JsonSlices::of(R"( {"a": [1, {"b":2}] , "c":"d\n"} )");
  ASSERT_TRUE(slices.ok());
  EXPECT_EQ(slices->raw("a"), R"([1, {"b":2}])");
  EXPECT_EQ(slices->raw("c"), R"("d\n")");
  EXPECT_EQ(slices->raw("b"), "");
}

TEST(JsonSlices, RefusesWhatIsNotJson) {
  for (const char* text : {"",
                           "{",
                           "{}x",
                           "[]",
                           "null",
                           R"({"a"})",
                           R"({"a":})",
                           R"({"a":1,})",
                           R"({a:1})",
                           R"({"a":01})",
                           R"({"a":1.})",
                           R"({"a":+1})",
                           R"({"a":"\x"})",
                           R"({"a":"\ud800"})",
                           R"({"a":"\udc00\ud800"})",
                           R"({"a":tru})",
                           R"({"a":[1,]})",
                           R"({"a":1 "b":2})",
                           "{\"a\":\"\n\"}",
                           R"({"a":nullx})",
                           R"({"a":-})",
                           R"({"a":1e})"})
    EXPECT_FALSE(JsonSlices::of(text).ok()) << text;
  EXPECT_FALSE(JsonSlices::of("{\"a\":\"\xff\"}").ok());
  EXPECT_FALSE(JsonSlices::of(std::string_view("{\"a\":\"\0\"}", 9)).ok());
}

TEST(JsonSlices, RefusesAmbiguousKeysOfTheEnvelope) {
  EXPECT_FALSE(JsonSlices::of(R"({"id":1,"id":2})").ok());
  EXPECT_FALSE(JsonSlices::of(R"({"i\u0064":1})").ok());
}

TEST(JsonSlices, RefusesRepeatedKeysBelowWhenAsked) {
  const char* text = R"({"a":{"path":"x","pat\u0068":"y"}})";
  EXPECT_TRUE(JsonSlices::of(text).ok());
  EXPECT_FALSE(JsonSlices::of(text, {.unique_keys = true}).ok());
}

TEST(JsonSlices, BoundsDepth) {
  const auto nested = [](int depth) { return R"({"a":)" + std::string(depth, '[') + std::string(depth, ']') + "}"; };
  EXPECT_TRUE(JsonSlices::of(nested(9), {.max_depth = 10}).ok());
  EXPECT_FALSE(JsonSlices::of(nested(10), {.max_depth = 10}).ok());
  EXPECT_FALSE(JsonSlices::of(nested(10'000'000)).ok());
}

// A short value takes less room in the text than its slice.
TEST(JsonSlices, BoundsTheNumberOfSlices) {
  const auto items = [](std::size_t count) {
    std::string text = "[0";
    for (std::size_t i = 1; i < count; ++i) text += ",0";
    return text + "]";
  };
  EXPECT_EQ(slice_array(items(10), {}, 10)->size(), 10u);
  EXPECT_FALSE(slice_array(items(11), {}, 10).ok());
  std::string members = "{";
  for (std::size_t i = 0; i < kMostSlices; ++i) members.append("\"").append(std::to_string(i)).append("\":0,");
  EXPECT_TRUE(JsonSlices::of(members + "\"x\":0}").failure().message.ends_with("too many members"));
}

TEST(Unquote, TakesEveryEscape) {
  EXPECT_EQ(unquote(R"("a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00")").value(), "a\"\\/\b\f\n\r\t\xc3\xa9\xf0\x9f\x98\x80");
  EXPECT_FALSE(unquote("1").ok());
  EXPECT_FALSE(unquote("\"").ok());
}

}  // namespace
}  // namespace glovebox::base
