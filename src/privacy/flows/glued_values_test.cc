#include "privacy/flows/glued_values.h"

#include <gtest/gtest.h>

namespace glovebox::privacy {
namespace {

TEST(GluedValues, AreFoundWithinATextWhateverIsAroundThem) {
  GluedValues values;
  values.add(letters_and_digits("Bob@Example.com"));
  values.add(letters_and_digits("4111 1111 1111 1111"));
  values.add(letters_and_digits("short"));
  for (const char* text :
       {"xxbob@example.comyy", "b-o-b@e.x.a.m.p.l.e.c.o.m", "card4111111111111111.", "bobexamplecom"})
    EXPECT_TRUE(values.occur_in(text)) << text;
  for (const char* text : {"xxbob@example.coyy", "411111111111111", "short", "", "bob@"})
    EXPECT_FALSE(values.occur_in(text)) << text;
}

TEST(GluedValues, OfAnyLengthAreFoundAtTheEndOfAText) {
  for (std::size_t length = GluedValues::kShortest; length <= 100; ++length) {
    std::string value;
    for (std::size_t i = 0; i < length; ++i) value += static_cast<char>('a' + (i * i + 3 * i) % 26);
    GluedValues values;
    values.add(value);
    EXPECT_TRUE(values.occur_in("0" + value)) << length;
    if (length <= GluedValues::kLongest) EXPECT_FALSE(values.occur_in("0" + value.substr(0, length - 1))) << length;
  }
}

// A table that is filled on purpose makes the search less exact, and no slower.
TEST(GluedValues, WithOneBeginningAreFoundByItAlone) {
  GluedValues values;
  for (std::size_t length = 8; length < 60; ++length) values.add("aaaaaaaa" + std::string(length - 8, 'b'));
  EXPECT_TRUE(values.occur_in(std::string(1 << 20, 'c') + "aaaaaaaa"));
  EXPECT_FALSE(values.occur_in(std::string(1 << 20, 'c')));
}

}  // namespace
}  // namespace glovebox::privacy
