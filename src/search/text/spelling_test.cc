#include "search/text/spelling.h"

#include <gtest/gtest.h>

namespace glovebox::search {
namespace {

TEST(Spelling, FindsWhatIsMeant) {
  Spelling spelling;
  for (const char* word : {"message", "channel", "schedule", "meeting", "translate", "kubernetes", "issue", "file"})
    spelling.add(word);
  EXPECT_EQ(spelling.nearest("mesage"), "message");
  EXPECT_EQ(spelling.nearest("emssage"), "message");
  EXPECT_EQ(spelling.nearest("chanel"), "channel");
  EXPECT_EQ(spelling.nearest("shedule"), "schedule");
  EXPECT_EQ(spelling.nearest("trasnlate"), "translate");
  EXPECT_EQ(spelling.nearest("kubrnetess"), "kubernetes");
  EXPECT_EQ(spelling.nearest("issuee"), "issue");
  EXPECT_EQ(spelling.nearest("fil"), std::nullopt);
  EXPECT_EQ(spelling.nearest("garden"), std::nullopt);
  EXPECT_EQ(spelling.nearest("passage"), std::nullopt);  // its first letters differ
}

TEST(Spelling, AWordThatComesBackTakesNoMoreRoom) {
  Spelling spelling;
  spelling.add("message");
  const std::size_t once = spelling.bytes();
  for (int i = 0; i < 100; ++i) spelling.add("message");
  EXPECT_EQ(spelling.bytes(), once);
}

TEST(Spelling, CountsErrorsAsPeopleMakeThem) {
  EXPECT_EQ(typing_errors("send", "send", 2), 0u);
  EXPECT_EQ(typing_errors("sned", "send", 2), 1u);
  EXPECT_EQ(typing_errors("snd", "send", 2), 1u);
  EXPECT_EQ(typing_errors("abcd", "badc", 2), 2u);
  EXPECT_EQ(typing_errors("kitten", "sitting", 2), 3u);
}

TEST(Spelling, TakesAnyWordAndIsBounded) {
  Spelling spelling;
  for (int i = 0; i < 100'000; ++i) {
    std::string word = "word";
    for (int rest = i; rest > 0; rest /= 26) word += static_cast<char>('a' + rest % 26);
    spelling.add(word);
  }
  spelling.add("");
  spelling.add("\xff\xfe");
  EXPECT_LT(spelling.bytes(), 50u << 20);
  EXPECT_EQ(spelling.nearest(""), std::nullopt);
}

}  // namespace
}  // namespace glovebox::search
