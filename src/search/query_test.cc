#include "search/query.h"

#include <gtest/gtest.h>

#include <cmath>

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

// After a comma, what is to be done begins another need; a list of things does not.
TEST(Query, AnInstructionAfterACommaIsAClause) {
  EXPECT_EQ(split_query("Read the sales data, plot it by month, save the chart").clauses,
            (Clauses{"Read the sales data", "plot it by month", "save the chart"}));
  EXPECT_EQ(split_query("compare apples, pears, plums for me").clauses, Clauses{});
  EXPECT_EQ(split_query("the weather in Paris, France tomorrow").clauses, Clauses{});
}

TEST(Query, PathsAreEmbeddedAsWords) {
  const Query query = split_query("save it to /srv/notes/plan.md");
  EXPECT_EQ(query.text, "save it to /srv/notes/plan.md");
  EXPECT_EQ(texts_of(query), (Clauses{"save it to the file plan.md"}));
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

// Nothing is lost before the limit on the text: neighbours share a clause.
TEST(Query, AllOfManyNeedsAreClauses) {
  std::string text;
  for (int i = 0; i < 200; ++i) text += "look up entry number " + std::to_string(i) + ". ";
  const Query query = split_query(text);
  EXPECT_LE(query.clauses.size(), 64u);
  EXPECT_NE(query.clauses.back().find("number 199"), std::string::npos);
}

TEST(Query, TheWholeOfManyClausesIsTheirMean) {
  Query two = split_query("read the config file and send it to Bob");
  EXPECT_EQ(texts_of(two).size(), 3u);
  set_vectors(two, {{1, 0}, {0, 1}, {1, 0}});
  EXPECT_EQ(two.vectors[0], (std::vector<float>{1, 0}));
  Query three = split_query("Find flights to Paris. Book a hotel there. Send the dates to my own boss!");
  EXPECT_EQ(texts_of(three), three.clauses);
  set_vectors(three, {{1, 0}, {1, 0}, {0, 1}});
  ASSERT_EQ(three.vectors.size(), 4u);
  EXPECT_FLOAT_EQ(three.vectors[0][0], 8 / std::sqrt(8.0F * 8 + 7 * 7));  // weighted by words: 4 + 4, and 7
  EXPECT_FLOAT_EQ(three.vectors[0][1], 7 / std::sqrt(8.0F * 8 + 7 * 7));
}

TEST(Query, WhatIsNotWantedIsNotLookedFor) {
  const Query query = split_query("list the files in a folder but do not delete or move anything");
  EXPECT_EQ(query.text, "list the files in a folder");
  EXPECT_EQ(query.clauses, Clauses{});
}

}  // namespace
}  // namespace glovebox::search
