#include "base/text/json_builder.h"

#include <gtest/gtest.h>

#include <vector>

namespace glovebox::base {
namespace {

TEST(ObjectText, WritesEveryKindOfMember) {
  EXPECT_EQ(ObjectText().done(), "{}");
  EXPECT_EQ(ObjectText()
                .text("a", "x\"y")
                .number("b", -9223372036854775807)
                .millis("m", 1.5)
                .flag("c", true)
                .flag("d", false)
                .json("e", ListText().text("1").json("2").done())
                .done(),
            R"({"a":"x\"y","b":-9223372036854775807,"m":1.5,"c":true,"d":false,"e":["1",2]})");
}

TEST(ObjectText, QuotesKeysAndReplacesWhatIsNotUtf8) {
  EXPECT_EQ(ObjectText().text("a\"b", "\xff").text("\xff", "").done(), R"({"a\"b":"?","?":""})");
}

TEST(ObjectText, LeavesOutWhatIsEmptyOnRequest) {
  EXPECT_EQ(ObjectText().text_if("a", "").json_if("b", "").text_if("c", "x").json_if("d", "[]").done(),
            R"({"c":"x","d":[]})");
}

TEST(ObjectText, WritesNullForWhatIsEmptyOnRequest) {
  EXPECT_EQ(
      ObjectText().text_or_null("a", "").json_or_null("b", "").text_or_null("c", "x").json_or_null("d", "1").done(),
      R"({"a":null,"b":null,"c":"x","d":1})");
}

TEST(ObjectText, TakesTheMembersOfAnotherObject) {
  EXPECT_EQ(ObjectText().members("{}").flag("a", true).members("{}").members(R"({"b":1,"c":[]})").done(),
            R"({"a":true,"b":1,"c":[]})");
  EXPECT_EQ(ObjectText().members(R"({"b":1})").text("c", "").done(), R"({"b":1,"c":""})");
  EXPECT_EQ(ObjectText().members("{}").done(), "{}");
}

TEST(ObjectText, KnowsWhereAValueEnds) {
  ObjectText object;
  object.text("a", "x").json("b", "[1,2]");
  const std::size_t end = object.size();
  EXPECT_EQ(object.flag("c", true).done().substr(end - 5, 5), "[1,2]");
}

TEST(ObjectText, ContinuesWhatWasBegun) {
  EXPECT_EQ(ObjectText("12{").done(), "12{{}");
  EXPECT_EQ(ObjectText("1234").text("a", "").members(R"({"b":{}})").done(), R"(1234{"a":"","b":{}})");
  EXPECT_TRUE(ObjectText("1234").empty());
}

TEST(ListText, IsEmptyUntilItHasAnItem) {
  ListText list;
  EXPECT_TRUE(list.empty());
  EXPECT_EQ(ListText().done(), "[]");
  list.json("{}");
  EXPECT_FALSE(list.empty());
  EXPECT_EQ(list.size(), 3u);
  EXPECT_EQ(list.done(), "[{}]");
  EXPECT_EQ(text_list(std::vector<std::string>{"a", "\""}), R"(["a","\""])");
}

TEST(ListText, IsMadeOfARange) {
  const auto number = [](int value) { return std::to_string(value); };
  EXPECT_EQ(json_list(std::vector<int>{}, number), "[]");
  EXPECT_EQ(json_list(std::vector<int>{1, -2}, number), "[1,-2]");
}

}  // namespace
}  // namespace glovebox::base
