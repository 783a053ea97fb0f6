#include "search/tool_index.h"

#include <gtest/gtest.h>

#include <ctime>

namespace glovebox::search {
namespace {

const auto kAny = [](std::uint32_t) { return true; };

std::vector<std::uint32_t> ids(const std::vector<Hit>& hits) {
  std::vector<std::uint32_t> found;
  for (const Hit& hit : hits) found.push_back(hit.id);
  return found;
}

ToolIndex three_tools() {
  ToolIndex index;
  index.put(0, tool_text("github", "list_commits", "Lists the commits of a branch.", ""));
  index.put(1, tool_text("weather", "getForecast", "The weather of the coming days.",
                         R"({"type":"object","properties":{"city":{"description":"Where"}}})"));
  index.put(4, tool_text("files", "read_file", "Reads a file.", ""));
  return index;
}

TEST(ToolIndex, FindsByWordsOfNameDescriptionAndParameters) {
  const ToolIndex index = three_tools();
  EXPECT_EQ(ids(index.search(split_query("show recent commits"), 5, kAny)), std::vector<std::uint32_t>{0});
  EXPECT_EQ(ids(index.search(split_query("forecasts"), 5, kAny)), std::vector<std::uint32_t>{1});
  EXPECT_EQ(ids(index.search(split_query("cities"), 5, kAny)), std::vector<std::uint32_t>{1});
  EXPECT_TRUE(index.search(split_query("translate a poem"), 5, kAny).empty());
}

TEST(ToolIndex, FindsWhatIsMistyped) {
  const ToolIndex index = three_tools();
  EXPECT_EQ(ids(index.search(split_query("shwo recent comits"), 5, kAny)), std::vector<std::uint32_t>{0});
  EXPECT_EQ(ids(index.search(split_query("wether forcast"), 5, kAny)), std::vector<std::uint32_t>{1});
  EXPECT_LT(index.search(split_query("comits"), 5, kAny).at(0).score,
            index.search(split_query("commits"), 5, kAny).at(0).score);
  EXPECT_TRUE(index.search(split_query("hermits"), 5, kAny).empty());
}

TEST(ToolIndex, AServersOwnWordsCountLessThanATools) {
  ToolIndex index;
  index.put(0, tool_text("a", "run", "Does it.", "", "Everything about invoices"));
  index.put(1, tool_text("b", "run", "Does it with invoices.", "", "Everything"));
  EXPECT_EQ(ids(index.search(split_query("invoices"), 5, kAny)), (std::vector<std::uint32_t>{1, 0}));
}

TEST(ToolIndex, RemovedReplacedAndForbiddenToolsAreNotFound) {
  ToolIndex index = three_tools();
  EXPECT_TRUE(index.search(split_query("commits"), 5, [](std::uint32_t id) { return id != 0; }).empty());
  index.put(0, tool_text("github", "list_issues", "Lists issues.", ""));
  EXPECT_TRUE(index.search(split_query("commits"), 5, kAny).empty());
  EXPECT_EQ(ids(index.search(split_query("issue"), 5, kAny)), std::vector<std::uint32_t>{0});
  index.remove(std::vector<std::uint32_t>{0, 0, 77});
  index.remove(std::vector<std::uint32_t>{0});
  EXPECT_EQ(index.size(), 2u);
  EXPECT_TRUE(index.search(split_query("issue"), 5, kAny).empty());
}

// A server that would like to be called for everything.
TEST(ToolIndex, AToolThatHasEveryWordDoesNotComeFirst) {
  ToolIndex index = three_tools();
  std::string words;
  for (int i = 0; i < 20; ++i) words += " list lists the commits of a branch weather of the coming days forecast";
  for (std::uint32_t i = 0; i < 1000; ++i) words += " " + std::to_string(i);
  index.put(3, tool_text("flood", "helper", words, ""));
  EXPECT_EQ(ids(index.search(split_query("list the commits of a branch"), 1, kAny)), std::vector<std::uint32_t>{0});
  EXPECT_EQ(ids(index.search(split_query("the weather of the coming days"), 1, kAny)), std::vector<std::uint32_t>{1});
  EXPECT_EQ(ids(index.search(split_query("the coming days"), 1, kAny)), std::vector<std::uint32_t>{1});
}

// A different word for each number.
std::string word_of(std::uint32_t number) {
  std::string word;
  for (; number > 0; number /= 26) word += static_cast<char>('a' + number % 26);
  return "é" + word;  // not a word that typing errors are corrected to
}

ToolText invented(std::uint32_t first) {
  constexpr std::uint32_t kWords = 20;
  std::string words;
  for (std::uint32_t i = 0; i < kWords; ++i) words += " " + word_of(first * kWords + i);
  return tool_text("flood", "tool", words, "");
}

// Each time that a server lists its tools they may have other words.
TEST(ToolIndex, WordsThatNoToolHasAnyLongerTakeNoRoom) {
  constexpr std::uint32_t kTools = 200;
  ToolIndex index = three_tools();
  std::size_t after_one = 0;
  for (std::uint32_t round = 1; round <= 20; ++round) {
    std::vector<std::uint32_t> added;
    for (std::uint32_t i = 0; i < kTools; ++i) {
      added.push_back(3 + i);
      index.put(added.back(), invented(round * kTools + i));
    }
    if (round == 1) after_one = index.bytes();
    const std::string last = word_of((round * kTools + kTools - 1) * 20);
    EXPECT_EQ(ids(index.search(split_query(last), 5, kAny)), std::vector<std::uint32_t>{2 + kTools});
    index.remove(added);
    EXPECT_TRUE(index.search(split_query(last), 5, kAny).empty());
  }
  EXPECT_LT(index.bytes(), 2 * after_one);
  EXPECT_EQ(ids(index.search(split_query("commits"), 5, kAny)), std::vector<std::uint32_t>{0});
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// A server may list thousands of tools with the same words, and then none.
TEST(ToolIndex, ManyToolsLeaveInAboutTheTimeInWhichTheyCame) {
  constexpr std::uint32_t kTools = 5000;
  std::string words;
  for (std::uint32_t i = 0; i < 100; ++i) words += " " + word_of(i);
  const ToolText tool = tool_text("flood", "tool", words, "");
  ToolIndex index;
  std::vector<std::uint32_t> all;
  const double start = cpu_seconds();
  for (std::uint32_t i = 0; i < kTools; ++i) {
    index.put(i, tool);
    all.push_back(i);
  }
  const double added = cpu_seconds() - start;
  index.remove(all);
  EXPECT_EQ(index.size(), 0u);
  EXPECT_LT(cpu_seconds() - start - added, 3 * added);  // one by one it takes ten times as long
}

Query pointing(std::vector<float> vector) {
  Query query = split_query("zzz");
  query.vectors = {std::move(vector)};
  return query;
}

TEST(ToolIndex, VectorsCountWhereTheyAre) {
  ToolIndex index = three_tools();
  index.set_vector(0, std::vector<float>{1, 0, 0});
  index.set_vector(1, std::vector<float>{0, 1, 0});
  index.set_vector(9, std::vector<float>{0, 0, 1});  // unknown id
  const auto hits = index.search(pointing({0, 1, 0}), 5, kAny);
  ASSERT_EQ(ids(hits), (std::vector<std::uint32_t>{1, 0}));  // 4 has neither matching words nor a vector
  EXPECT_NEAR(hits[0].dense, 1, 0.02);
  EXPECT_GT(hits[0].score, kDefaultThreshold);
  EXPECT_LT(hits[1].score, kDefaultThreshold);
  index.put(1, tool_text("weather", "getForecast", "", ""));  // its vector belonged to the former text
  EXPECT_EQ(ids(index.search(pointing({0, 1, 0}), 5, kAny)), std::vector<std::uint32_t>{0});
  EXPECT_TRUE(index.search(pointing({0, 1}), 5, kAny).empty());  // vectors of another model
}

TEST(ToolIndex, AnotherModelReplacesAllVectors) {
  ToolIndex index = three_tools();
  index.set_vector(0, std::vector<float>{1, 0, 0});
  index.set_vector(1, std::vector<float>{0, 1, 0, 0, 0, 0});
  EXPECT_EQ(ids(index.search(pointing({0, 1, 0, 0, 0, 0}), 5, kAny)), std::vector<std::uint32_t>{1});
  EXPECT_TRUE(index.search(pointing({1, 0, 0}), 5, kAny).empty());
}

// What is close for another model is close on our scale.
TEST(ToolIndex, TheScaleOfAModelCounts) {
  ToolIndex index = three_tools();
  index.set_vector(0, std::vector<float>{0.8F, 0.6F});
  const double before = index.search(pointing({1, 0}), 1, kAny).at(0).score;
  index.set_scale({0.75F, 0.9F});
  const double after = index.search(pointing({1, 0}), 1, kAny).at(0).score;
  EXPECT_GT(before, kDefaultThreshold);
  EXPECT_LT(after, kDefaultThreshold);
}

// One word that the request shares with a tool by accident does not outweigh its meaning.
TEST(ToolIndex, MeaningWinsWhereWordsAreFew) {
  ToolIndex index = three_tools();
  index.set_vector(0, std::vector<float>{0, 1, 0});
  index.set_vector(1, std::vector<float>{1, 0, 0});
  index.set_vector(4, std::vector<float>{0, 0, 1});
  Query query = split_query("will my grandmother read in the sun on her old bench beside the lake tomorrow");
  query.vectors = {{0.95F, 0.1F, 0.3F}};
  EXPECT_EQ(ids(index.search(query, 1, kAny)), std::vector<std::uint32_t>{1});
}

TEST(ToolIndex, AClauseFindsItsTool) {
  ToolIndex index = three_tools();
  index.set_vector(0, std::vector<float>{1, 0, 0});
  index.set_vector(1, std::vector<float>{0, 1, 0});
  index.set_vector(4, std::vector<float>{0, 0, 1});
  Query query;
  query.text = "zzz";
  query.clauses = {"z", "zz"};
  query.vectors = {{0.6F, 0.6F, 0.5F}, {1, 0, 0}, {0, 1, 0}};
  const auto hits = index.search(query, 2, kAny);
  ASSERT_EQ(ids(hits), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(hits[0].clause, 1u);
  EXPECT_EQ(hits[1].clause, 2u);
  EXPECT_GE(hits[0].score, hits[1].score);
}

// The first tool stands out among all for the whole request; one after it is closer to a clause.
TEST(ToolIndex, TheFirstIsAsCertainAsThoseThatFollow) {
  ToolIndex index;
  const std::vector<std::vector<float>> vectors = {{0.3F, 0}, {0, 0.6F}, {0, 0.5F}, {0, 0.5F}, {0, 0}, {0, 0}};
  for (std::uint32_t id = 0; id < vectors.size(); ++id) {
    index.put(id, tool_text("s", "t", "", ""));
    index.set_vector(id, vectors[id]);
  }
  Query query;
  query.text = "zzz";
  query.clauses = {"z"};
  query.vectors = {{1, 0}, {0, 1}};
  const auto hits = index.search(query, 2, kAny);
  ASSERT_EQ(ids(hits), (std::vector<std::uint32_t>{0, 1}));
  const auto alone = index.search(query, 1, [](std::uint32_t id) { return id == 0; });
  EXPECT_GT(hits[0].score, alone.at(0).score);
  EXPECT_EQ(hits[0].score, hits[1].score);
  EXPECT_EQ(index.search(query, 1, kAny).at(0).score, hits[0].score);  // however many are asked for
}

}  // namespace
}  // namespace glovebox::search
