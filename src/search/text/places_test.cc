#include "search/text/places.h"

#include <gtest/gtest.h>

namespace glovebox::search {
namespace {

TEST(Places, AreSaidInWords) {
  EXPECT_EQ(with_places_in_words("Save it to /srv/notes/plan.md."), "Save it to the file plan.md.");
  EXPECT_EQ(with_places_in_words("what is in ~/music/ and './a/b.tar.gz'?"),
            "what is in the folder music and 'the file b.tar.gz'?");
  EXPECT_EQ(with_places_in_words("open C:\\work\\list.xlsx (/srv/data/2024)"),
            "open the file list.xlsx (the folder 2024)");
  EXPECT_EQ(with_places_in_words("read https://example.com/a/b.html?c=d, please"),
            "read the web page example.com, please");
}

TEST(Places, OtherTextsStayAsTheyAre) {
  for (const char* text : {"", "/", "yes and/or no", "redirect to /login", "3/4 of it", "km/h", "a ./ b", "// comment",
                           "what is 1.5 / 2?", "/help", "https://", "übersetze /ü", "the ratio a:b"})
    EXPECT_EQ(with_places_in_words(text), text);
}

}  // namespace
}  // namespace glovebox::search
