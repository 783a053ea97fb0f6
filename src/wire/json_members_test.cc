#include "wire/json_members.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace glovebox::wire {
namespace {

TEST(JsonMembers, SlicesValuesAsTheirBytes) {
  const auto members = JsonMembers::split(R"({"a": 1.50 ,"b":[1, {"c":"}"}],"d":"x\"y","e":{ } , "f":null})");
  ASSERT_TRUE(members);
  EXPECT_EQ(members->all().size(), 5u);
  EXPECT_EQ(members->raw("a"), "1.50");
  EXPECT_EQ(members->raw("b"), R"([1, {"c":"}"}])");
  EXPECT_EQ(members->raw("d"), R"("x\"y")");
  EXPECT_EQ(members->raw("e"), "{ }");
  EXPECT_EQ(members->raw("f"), "null");
}

TEST(JsonMembers, KnowsWhatIsMissing) {
  const auto members = JsonMembers::split(R"({"a":1})");
  ASSERT_TRUE(members);
  EXPECT_TRUE(members->has("a"));
  EXPECT_FALSE(members->has("b"));
  EXPECT_EQ(members->raw("b"), "");
}

TEST(JsonMembers, TakesAnEmptyObject) {
  const auto members = JsonMembers::split(" { } ");
  ASSERT_TRUE(members);
  EXPECT_TRUE(members->all().empty());
}

TEST(JsonMembers, RefusesWhatIsNotAnObject) {
  for (const char* text : {"", " ", "[]", "1", "null", R"("a")", "}"}) EXPECT_FALSE(JsonMembers::split(text)) << text;
}

// Parsers differ in which of two repeated keys they take; an escaped key may be a repeated one in disguise.
TEST(JsonMembers, RefusesRepeatedAndEscapedKeys) {
  EXPECT_FALSE(JsonMembers::split(R"({"a":1,"a":2})"));
  EXPECT_FALSE(JsonMembers::split(R"({"a":1,"\u0061":2})"));
  EXPECT_FALSE(JsonMembers::split(R"({"a\"":1})"));
}

// A call of a megabyte has room for 100,000 members, and comparing each with all others would stop the gateway.
TEST(JsonMembers, RefusesMoreMembersThanAnyObjectOfOurs) {
  std::string members = "\"k0\":0";
  for (int i = 1; i < 64; ++i) members += ",\"k" + std::to_string(i) + "\":0";
  const auto most = JsonMembers::split("{" + members + "}");
  ASSERT_TRUE(most);
  EXPECT_EQ(most->all().size(), 64u);
  EXPECT_FALSE(JsonMembers::split("{" + members + ",\"k64\":0}"));
}

TEST(JsonMembers, RefusesTextThatStopsEarly) {
  const std::string whole = R"({"a":"b\\","c":[1,{"d":"e"}],"f":true})";
  ASSERT_TRUE(JsonMembers::split(whole));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    // An exact allocation, so that a sanitizer sees one byte too many.
    const auto exact = std::make_unique<char[]>(length);
    whole.copy(exact.get(), length);
    EXPECT_FALSE(JsonMembers::split({exact.get(), length})) << whole.substr(0, length);
  }
}

TEST(JsonMembers, RefusesMissingValuesAndSeparators) {
  for (const char* text : {R"({"a"})", R"({"a":})", R"({"a":,"b":1})", R"({"a" 1})", R"({"a":1 "b":2})", R"({a:1})",
                           R"({,})", R"({"a":1,})", R"({"a":1)"}) {
    EXPECT_FALSE(JsonMembers::split(text)) << text;
  }
}

TEST(JsonMembers, EndsInsideAnEscapeWithoutReadingOn) {
  const char text[] = {'{', '"', 'a', '"', ':', '"', '\\'};
  EXPECT_FALSE(JsonMembers::split({text, sizeof text}));
  const char key[] = {'{', '"', 'a', '\\'};
  EXPECT_FALSE(JsonMembers::split({key, sizeof key}));
}

TEST(JsonMembers, ReadsWords) {
  const auto members = JsonMembers::split(R"({"a":"run","b":"r\u0075n","c":1,"d":"","e":[]})");
  ASSERT_TRUE(members);
  EXPECT_EQ(members->word("a"), "run");
  EXPECT_EQ(members->word("b"), std::nullopt) << "an escape is no word of our vocabulary";
  EXPECT_EQ(members->word("c"), std::nullopt);
  EXPECT_EQ(members->word("d"), "");
  EXPECT_EQ(members->word("e"), std::nullopt);
  EXPECT_EQ(members->word("none"), std::nullopt);
}

TEST(JsonMembers, ReadsIntegers) {
  const auto members = JsonMembers::split(
      R"({"a":42,"b":-7,"c":1.5,"d":"42","e":9223372036854775807,"f":9223372036854775808,"g":1e3,"h":true})");
  ASSERT_TRUE(members);
  EXPECT_EQ(members->integer("a"), 42);
  EXPECT_EQ(members->integer("b"), -7);
  EXPECT_EQ(members->integer("c"), std::nullopt);
  EXPECT_EQ(members->integer("d"), std::nullopt);
  EXPECT_EQ(members->integer("e"), 9223372036854775807);
  EXPECT_EQ(members->integer("f"), std::nullopt) << "beyond 64 bits";
  EXPECT_EQ(members->integer("g"), std::nullopt);
  EXPECT_EQ(members->integer("h"), std::nullopt);
  EXPECT_EQ(members->integer("none"), std::nullopt);
}

}  // namespace
}  // namespace glovebox::wire
