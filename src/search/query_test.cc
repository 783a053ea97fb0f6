#include "search/query.h"

#include <gtest/gtest.h>

namespace glovebox::search {
namespace {

using Clauses = std::vector<std::string>;

TEST(Query, OneNeedHasNoClauses) {
  EXPECT_EQ(split_query("list the open issues").clauses, Clauses{});
  EXPECT_EQ(split_query("What is the price of version 3.7 at example.com?").clauses, Clauses{});
  EXPECT_EQ(split_query("salt and pepper").clauses, Clauses{});
  EXPECT_EQ(split_query("").clauses, Clauses{});
}

TEST(Query, SeveralNeedsAreClauses) {
  EXPECT_EQ(split_query("Find flights to Paris, then book a hotel. Also tell me the weather!").clauses,
            (Clauses{"Find flights to Paris", "book a hotel", "Also tell me the weather"}));
  EXPECT_EQ(split_query("read the config file and send it to Bob").clauses,
            (Clauses{"read the config file", "send it to Bob"}));
}

TEST(Query, LongTextsAreCut) {
  std::string text;
  for (int i = 0; i < 5000; ++i) text += "do this one thing. ";
  const Query query = split_query(text);
  EXPECT_LE(query.text.size(), 16384u);
  EXPECT_LE(query.clauses.size(), 64u);
  const Query cut = split_query(std::string(16383, 'a') + "é");
  EXPECT_EQ(cut.text, std::string(16383, 'a'));
}

// Nothing is lost before the text is: neighbours share a clause.
TEST(Query, AllOfManyNeedsAreClauses) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "look up entry number " + std::to_string(i) + ". ";
  const Query query = split_query(text);
  EXPECT_LE(query.clauses.size(), 64u);
  EXPECT_NE(query.clauses.back().find("number 199"), std::string::npos);
}

TEST(Query, WhatIsNotWantedIsNotLookedFor) {
  const Query query = split_query("list the files in a folder but do not delete or move anything");
  EXPECT_EQ(query.text, "list the files in a folder");
  EXPECT_EQ(query.clauses, Clauses{});
}

}  // namespace
}  // namespace glovebox::search
