#include "search/words.h"

#include <gtest/gtest.h>

namespace glovebox::search {
namespace {

using Stems = std::vector<std::string>;

TEST(Words, IdentifiersAreSeveralWords) {
  const Words words;
  EXPECT_EQ(words.stems("listCommits"), (Stems{"list", "commit"}));
  EXPECT_EQ(words.stems("read_multiple-files"), (Stems{"read", "multipl", "file"}));
  EXPECT_EQ(words.stems("HTTPServer"), (Stems{"http", "server"}));
  EXPECT_EQ(words.stems("base64 v2"), (Stems{"base64", "v2"}));
}

TEST(Words, FormsOfAWordHaveOneStem) {
  const Words words;
  EXPECT_EQ(words.stems("cities"), words.stems("city"));
  EXPECT_EQ(words.stems("searching"), words.stems("Searched"));
}

TEST(Words, ScriptsWithoutSpacesGiveCharacters) {
  const Words words;
  EXPECT_EQ(words.stems("搜索ab"), (Stems{"搜", "索", "ab"}));
  EXPECT_EQ(words.stems("Ünïcode"), (Stems{"ünïcode"}));
}

TEST(Words, AnyBytesAreAText) {
  const Words words;
  std::string all;
  for (int i = 0; i < 256; ++i) all += static_cast<char>(i);
  EXPECT_FALSE(words.stems(all + all).empty());
  EXPECT_EQ(words.stems(std::string(100000, 'z')).size(), 1u);
  EXPECT_TRUE(words.stems(" ,;.\n").empty());
}

TEST(Words, EmptyAndCommonWordsAreStems) {
  const Words words;
  for (const char* word : {"please", "the", "wants", "helping", "any", "does"})
    EXPECT_TRUE(is_empty_word(words.stems(word)[0])) << word;
  for (const char* word : {"retrieve", "information", "searches", "available", "specified"})
    EXPECT_TRUE(is_common_word(words.stems(word)[0])) << word;
  EXPECT_FALSE(is_empty_word("commit"));
  EXPECT_FALSE(is_common_word("commit"));
}

}  // namespace
}  // namespace glovebox::search
