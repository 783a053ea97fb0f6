#include "catalog/plain_text.h"

#include <gtest/gtest.h>

namespace glovebox::catalog {
namespace {

TEST(PlainText, IsUtf8WhateverCame) {
  const std::string good = "a\xc3\xa9\xe6\x97\xa5\xf0\x9f\x98\x80\n";
  EXPECT_EQ(plain_text(good), good);
  EXPECT_EQ(plain_text("a\xff"
                       "b"),
            "a\xef\xbf\xbd"
            "b");
  for (const std::string bad :
       {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf0\x80\x80\xaf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"})
    EXPECT_EQ(plain_text(bad).substr(0, 3), "\xef\xbf\xbd");
  EXPECT_EQ(plain_text("\xe6\x97"), "\xef\xbf\xbd\xef\xbf\xbd");
}

TEST(PlainText, IsCutBetweenCharacters) {
  EXPECT_EQ(plain_text("abcdef", 3), "abc…");
  EXPECT_EQ(plain_text("ab\xc3\xa9", 3), "ab…");
  EXPECT_EQ(plain_text("abc", 3), "abc");
}

}  // namespace
}  // namespace glovebox::catalog
