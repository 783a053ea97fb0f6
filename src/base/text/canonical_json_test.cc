#include "base/text/canonical_json.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>

namespace glovebox::base {
namespace {

std::string of(std::string_view json) {
  const auto form = canonical_json(json);
  return form ? form.value() : "refused";
}

// RFC 8785, 3.2.2 and 3.2.3.
TEST(CanonicalJson, IsTheExampleOfTheStandard) {
  EXPECT_EQ(of(R"({
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  })"),
            "{\"literals\":[null,true,false],\"numbers\":[333333333.3333333,1e+30,4.5,0.002,1e-27],"
            "\"string\":\"\xe2\x82\xac$\\u000f\\nA'B\\\"\\\\\\\\\\\"/\"}");
  EXPECT_EQ(
      of("{\"\\u20ac\":1,\"\\r\":2,\"\\ufb33\":3,\"1\":4,\"\\ud83d\\ude00\":5,\"\\u0080\":6,\"\\u00f6\":7}"),
      "{\"\\r\":2,\"1\":4,\"\xc2\x80\":6,\"\xc3\xb6\":7,\"\xe2\x82\xac\":1,\"\xf0\x9f\x98\x80\":5,\"\xef\xac\xb3\":3}");
}

// RFC 8785, appendix B: bits of a double, and how ECMAScript writes it.
TEST(CanonicalJson, WritesNumbersAsEcmascriptDoes) {
  const struct {
    std::uint64_t bits;
    const char* text;
  } samples[] = {
      {0x0000000000000000, "0"},
      {0x8000000000000000, "0"},
      {0x0000000000000001, "5e-324"},
      {0x8000000000000001, "-5e-324"},
      {0x7fefffffffffffff, "1.7976931348623157e+308"},
      {0xffefffffffffffff, "-1.7976931348623157e+308"},
      {0x4340000000000000, "9007199254740992"},
      {0xc340000000000000, "-9007199254740992"},
      {0x4430000000000000, "295147905179352830000"},
      {0x44b52d02c7e14af5, "9.999999999999997e+22"},
      {0x44b52d02c7e14af6, "1e+23"},
      {0x44b52d02c7e14af7, "1.0000000000000001e+23"},
      {0x444b1ae4d6e2ef4e, "999999999999999700000"},
      {0x444b1ae4d6e2ef4f, "999999999999999900000"},
      {0x444b1ae4d6e2ef50, "1e+21"},
      {0x3eb0c6f7a0b5ed8c, "9.999999999999997e-7"},
      {0x3eb0c6f7a0b5ed8d, "0.000001"},
      {0x41b3de4355555553, "333333333.3333332"},
      {0x41b3de4355555554, "333333333.33333325"},
      {0x41b3de4355555555, "333333333.3333333"},
      {0x41b3de4355555556, "333333333.3333334"},
      {0x41b3de4355555557, "333333333.33333343"},
      {0xbecbf647612f3696, "-0.0000033333333333333333"},
      {0x43143ff3c1cb0959, "1424953923781206.2"},
  };
  for (const auto& sample : samples) {
    char text[64];
    snprintf(text, sizeof text, "%.17e", std::bit_cast<double>(sample.bits));
    EXPECT_EQ(of(text), sample.text);
  }
}

TEST(CanonicalJson, IsOneForWhatMeansTheSame) {
  EXPECT_EQ(of(R"( { "b" : 1.0 , "a" : [ ] } )"), R"({"a":[],"b":1})");
  EXPECT_EQ(of("[1e2,100,1.00E+2,-0]"), "[100,100,100,0]");
  EXPECT_EQ(of(R"("\u0041\u00e9")"), "\"A\xc3\xa9\"");
  EXPECT_EQ(of("{}"), "{}");
}

TEST(CanonicalJson, RefusesWhatHasNone) {
  for (const char* text :
       {"", "{", "[1,]", "{\"a\":1,\"a\":2}", "{\"a\":1,\"\\u0061\":2}", "01", "1.", ".5", "+1", "1e", "1e999", "nul",
        "1 2", "\"\\ud800\"", "\"\\udc00\"", "\"\\x\"", "\"\n\"", "\"a", "[1", "{\"a\"}", "{1:2}", "-",
        // Two whole numbers that are one double.
        "9007199254740993", "-9007199254740993", "18446744073709551617", "[123456789012345678901234567890]"}) {
    EXPECT_EQ(of(text), "refused") << text;
  }
  EXPECT_EQ(of("9007199254740994"), "9007199254740994");
  EXPECT_EQ(of(std::string(2000, '[') + std::string(2000, ']')), "refused");
}

}  // namespace
}  // namespace glovebox::base
