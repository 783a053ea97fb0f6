#include "search/text/negation.h"

#include <gtest/gtest.h>

namespace glovebox::search {
namespace {

TEST(Negation, WhatIsForbiddenIsTakenOut) {
  EXPECT_EQ(without_negated("list the files in a folder but do not delete or move anything"),
            "list the files in a folder");
  EXPECT_EQ(without_negated("Do not send it, save the draft instead of publishing it."), "save the draft.");
  EXPECT_EQ(without_negated("Show the diff. Don\u2019t commit! Then list branches"),
            "Show the diff. Then list branches");
  EXPECT_EQ(without_negated("read the table without changing any row, then export it"),
            "read the table then export it");
  EXPECT_EQ(without_negated("please never merge, just list pull requests"), "just list pull requests");
  EXPECT_EQ(without_negated("list pods but not services"), "list pods");
}

TEST(Negation, WhatOnlySoundsLikeItStays) {
  for (const char* text :
       {"I don't know what to wear today", "why do my tests not pass?", "which users do not have an account",
        "turn on do not disturb", "recipes without nuts", "don't forget to book a table", "services that don't respond",
        "do not delete", "", "whether or not to invest in gold"})
    EXPECT_EQ(without_negated(text), text);
}

}  // namespace
}  // namespace glovebox::search
