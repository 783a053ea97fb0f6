#include "privacy/flows/value_prints.h"

#include <gtest/gtest.h>

namespace glovebox::privacy {
namespace {

TEST(ValuePrints, KnowValuesAgain) {
  ValuePrints prints;
  prints.add(R"({"customer_identifier":{"mail":"bob@example.com","name":"Alice Miller","iban":"DE8937","n":1234567},)"
             R"("ok":true})");
  for (const char* json :
       {R"({"text":"write to BOB@example.com."})", R"({"text":"for alice miller now"})", R"({"text":"sum 1234567"})",
        R"({"n":1234567})", R"(["x\u0020bob\u0040example.com"])", R"({"a":{"b":"x, DE8937"}})",
        R"({"bob@example.com":"x"})", R"({"a":[{"b":{"bob\u0040example.com":1}}]})", R"({"t":"xbob@example.comx"})",
        R"({"t":"toALICEMILLERnow"})"})
    EXPECT_TRUE(prints.overlap(json)) << json;
  for (const char* json : {R"({"text":"hello"})", R"({"customer_identifier":"x"})", R"({"text":"customer_identifier"})",
                           R"({"text":"Alice alone"})", R"({"n":12,"ok":true})", "{}"})
    EXPECT_FALSE(prints.overlap(json)) << json;
}

TEST(ValuePrints, KnowDataThatIsTheNameOfAMember) {
  ValuePrints prints;
  prints.add(R"({"customers":{"bob@example.com":{"description":true},"Alice Miller":{}}})");
  EXPECT_TRUE(prints.overlap(R"({"text":"bob@example.com"})"));
  EXPECT_TRUE(prints.overlap(R"({"alice miller":1})"));
  EXPECT_FALSE(prints.overlap(R"({"description":"x"})"));
}

TEST(ValuePrints, ThatAreLostMayBeAnything) {
  ValuePrints prints;
  EXPECT_FALSE(prints.overlap(R"({"a":"anything"})"));
  prints.add_anything();
  EXPECT_TRUE(prints.overlap(R"({"a":"anything"})"));
}

}  // namespace
}  // namespace glovebox::privacy
