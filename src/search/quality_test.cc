// Minimum quality of search on public data; figures are in docs/benchmarks.md. Skipped where the data is missing.
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <sstream>

#include "base/proving.h"
#include "base/sanitized.h"
#include "base/source_folder.h"
#include "base/whole_file.h"
#include "search/encoder/minilm.h"
#include "search/mark/known_software.h"
#include "search/mark/mark_evaluation.h"
#include "search/mark/nature.h"
#include "search/tool_index.h"

namespace glovebox::search {
namespace {

const std::string kSets = base::source_folder() + "/../shared/retrieval/";
constexpr std::size_t kMostBytes = 64 << 20;
constexpr double kFitsFloor = 0.98;
constexpr double kNoneFitsFloor = 0.22;
constexpr double kParaphraseSlack = 0.02;  // less than one of 40 requests

struct Floor {
  const char* set;
  double ndcg;
  bool is_long = false;
};

// The encoder of the product, with a cache: sets are used by several tests here.
class Remembering final : public Encoder {
 public:
  explicit Remembering(std::unique_ptr<Encoder> encoder) : encoder_(std::move(encoder)) {}

  std::string model() const override { return encoder_->model(); }
  std::size_t dimensions() const override { return encoder_->dimensions(); }
  std::unique_ptr<Encoder> another() const override { return encoder_->another(); }
  Result<std::vector<std::vector<float>>> embed(std::span<const std::string> texts) override {
    std::vector<std::string> missing;
    for (const std::string& text : texts) {
      if (!known_.contains(text)) missing.push_back(text);
    }
    auto embedded = encoder_->embed(missing);
    if (!embedded) return embedded;
    for (std::size_t i = 0; i < missing.size(); ++i) known_[missing[i]] = std::move((*embedded)[i]);
    std::vector<std::vector<float>> vectors;
    for (const std::string& text : texts) vectors.push_back(known_[text]);
    return vectors;
  }

 private:
  std::unique_ptr<Encoder> encoder_;
  std::map<std::string, std::vector<float>> known_;
};

Encoder& shared_encoder() {
  static Remembering encoder(open_minilm(tools_minilm()).value());
  return encoder;
}

class Quality : public testing::TestWithParam<Floor> {};

TEST_P(Quality, HybridSearchReachesItsFloor) {
  if (base::is_sanitized()) GTEST_SKIP() << "the figures are the same with sanitizers, and take minutes";
  if (GetParam().is_long && !base::is_proving()) GTEST_SKIP() << "`make prove` takes this one";
  const std::string folder = kSets + GetParam().set;
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there is no " << folder;
  const auto tools = parse_tools(*base::read_whole_file(folder + "/tools.jsonl", kMostBytes), "tools");
  ASSERT_TRUE(tools) << tools.failure().message;
  const auto queries =
      parse_queries(*base::read_whole_file(folder + "/queries.jsonl", kMostBytes), "q", *tools, "test");
  ASSERT_TRUE(queries) << queries.failure().message;
  const auto measured = evaluate(*tools, *queries, SearchMode::kHybrid, &shared_encoder(), [](std::size_t) {});
  ASSERT_TRUE(measured) << measured.failure().message;
  EXPECT_GE(measured->ndcg_at_10, GetParam().ndcg);
}

INSTANTIATE_TEST_SUITE_P(Sets, Quality,
                         testing::Values(Floor{"toole", 0.83, true}, Floor{"toole-multi", 0.87},
                                         Floor{"bfcl-live", 0.80, true}, Floor{"livemcp", 0.46},
                                         Floor{"sealtools", 0.93, true}));

// Among as many tools as a workspace has: the right one is not marked as weak, and where there is none, all are.
TEST(Mark, TellsWhatFitsFromWhatDoesNot) {
  if (base::is_sanitized()) GTEST_SKIP() << "the figures are the same with sanitizers, and take minutes";
  const std::string folder = kSets + "toole-multi";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there is no " << folder;
  const auto tools = parse_tools(*base::read_whole_file(folder + "/tools.jsonl", kMostBytes), "tools");
  const auto queries =
      parse_queries(*base::read_whole_file(folder + "/queries.jsonl", kMostBytes), "q", *tools, "test");
  ASSERT_TRUE(tools && queries);
  const auto measured = evaluate_mark(*tools, *queries, 17, &shared_encoder(), [](std::size_t) {});
  ASSERT_TRUE(measured) << measured.failure().message;
  EXPECT_GE(measured->fits, kFitsFloor);
  EXPECT_GE(measured->none_fits, kNoneFitsFloor);
}

// Requests that were not used to choose a border, against 527 tools of 70 real servers.
TEST(Mark, WhatNoToolServesIsWeak) {
  if (base::is_sanitized()) GTEST_SKIP() << "the figures are the same with sanitizers, and take minutes";
  const std::string folder = kSets + "livemcp";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there is no " << folder;
  const auto tools = parse_tools(*base::read_whole_file(folder + "/tools.jsonl", kMostBytes), "tools");
  ASSERT_TRUE(tools);
  ToolIndex index;
  std::vector<std::string> texts;
  for (const LabelledTool& tool : *tools) texts.push_back(embedding_text(tool.text));
  const auto vectors = shared_encoder().embed(texts);
  ASSERT_TRUE(vectors);
  for (std::uint32_t i = 0; i < tools->size(); ++i) {
    index.put(i, (*tools)[i].text);
    index.set_vector(i, (*vectors)[i]);
  }
  std::istringstream unservable(
      *base::read_whole_file(base::source_folder() + "/bench/requests/unservable_held_out.txt", kMostBytes));
  std::size_t weak = 0;
  std::size_t all = 0;
  for (std::string intent; std::getline(unservable, intent); ++all) {
    Query query = split_query(intent);
    ASSERT_TRUE(embed_query(query, shared_encoder()));
    const auto hits = index.search(query, 1, [](std::uint32_t) { return true; });
    weak += hits.empty() || hits[0].score < kDefaultThreshold;
  }
  EXPECT_GE(weak, all * 9 / 10);
  EXPECT_GE(all, 80u);
}

// Requests that avoid the words of the tools that serve them: words must not outweigh meaning.
TEST(Paraphrases, AreFoundAsWellAsByMeaningAlone) {
  if (base::is_sanitized()) GTEST_SKIP() << "the figures are the same with sanitizers, and take minutes";
  const std::string folder = kSets + "livemcp";
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "there is no " << folder;
  const auto tools = parse_tools(*base::read_whole_file(folder + "/tools.jsonl", kMostBytes), "tools");
  ASSERT_TRUE(tools);
  const std::string file = base::source_folder() + "/bench/requests/paraphrases.jsonl";
  const auto queries = parse_queries(*base::read_whole_file(file, kMostBytes), file, *tools, "");
  ASSERT_TRUE(queries) << queries.failure().message;
  EXPECT_EQ(queries->size(), 40u);
  const auto ndcg = [&](SearchMode mode) {
    return evaluate(*tools, *queries, mode, &shared_encoder(), [](std::size_t) {})->ndcg_at_10;
  };
  EXPECT_GE(ndcg(SearchMode::kHybrid), ndcg(SearchMode::kDense) - kParaphraseSlack);
}

// A few tools of ordinary servers, and what a person might ask of them or not.
class Threshold : public testing::Test {
 protected:
  void SetUp() override {
    auto opened = open_minilm(tools_minilm());
    ASSERT_TRUE(opened) << opened.failure().message;
    encoder_ = std::move(*opened);
    add("filesystem", "read_text_file", "Read the complete contents of a file from the file system as text.");
    add("filesystem", "list_directory", "Get a detailed listing of all files and directories in a specified path.");
    add("filesystem", "move_file", "Move or rename files and directories.");
    add("memory", "create_entities", "Create multiple new entities in the knowledge graph");
    add("memory", "search_nodes", "Search for nodes in the knowledge graph based on a query");
    add("github", "list_commits", "Get list of commits of a branch in a GitHub repository");
    add("github", "create_issue", "Create a new issue in a GitHub repository");
  }

  void add(const char* server, const char* name, const char* description) {
    const ToolText tool = tool_text(server, name, description, "");
    const auto vector = encoder_->embed_one(embedding_text(tool));
    ASSERT_TRUE(vector);
    index_.put(next_, tool);
    index_.set_vector(next_++, *vector);
    names_.push_back(name);
  }

  // The name of the best tool above the threshold, or nothing.
  std::string best(const char* intent, bool with_vectors = true) {
    Query query = split_query(intent);
    if (with_vectors) EXPECT_TRUE(embed_query(query, *encoder_));
    const auto hits = index_.search(query, 3, [](std::uint32_t) { return true; });
    return hits.empty() || hits[0].score < kDefaultThreshold ? "" : names_[hits[0].id];
  }

  std::unique_ptr<Encoder> encoder_;
  ToolIndex index_;
  std::uint32_t next_ = 0;
  std::vector<std::string> names_;
};

TEST_F(Threshold, WhatServesIsAboveIt) {
  EXPECT_EQ(best("read a file"), "read_text_file");
  EXPECT_EQ(best("which files are in this folder?"), "list_directory");
  EXPECT_EQ(best("rename my document"), "move_file");
  EXPECT_EQ(best("show the latest changes made to the repository"), "list_commits");
  EXPECT_EQ(best("file a bug report on GitHub"), "create_issue");
  EXPECT_EQ(best("commits of the main branch", false), "list_commits");
}

TEST_F(Threshold, WhatDoesNotServeIsBelowIt) {
  for (const char* intent :
       {"What is the weather in Lisbon tomorrow?", "book a flight to Tokyo", "order a pizza with extra cheese",
        "translate this poem into Polish", "turn off the kitchen lights", "how old is the universe?", "play some jazz",
        "qwertz uiop", "", "the", "convert 20 dollars to euros"}) {
    EXPECT_EQ(best(intent), "") << intent;
    EXPECT_EQ(best(intent, false), "") << intent;
  }
}

// Chores that no program does, and the same ones where a program does them.
TEST_F(Threshold, WorkOfHandsIsWeakUnlessAToolDoesIt) {
  const auto doubt = [&](const std::vector<std::string>& texts) { return doubt_of(*encoder_->embed(texts)); };
  EXPECT_GT(doubt({"peel a kilo of potatoes"}), 2);
  EXPECT_EQ(doubt({"list the open pull requests"}), 0);
  EXPECT_EQ(doubt({"peel a kilo of potatoes", "list the open pull requests"}), 0);
  EXPECT_EQ(doubt_of(std::vector<std::vector<float>>{{1, 0, 0}}), kUnknownDoubt);  // a vector of another model
  EXPECT_EQ(best("vacuum the carpet in the living room"), "");
  EXPECT_EQ(best("water the plants on the balcony"), "");
  add("robot", "start_cleaning", "Starts the robot vacuum cleaner in a room");
  add("garden", "water_plants", "Waters the plants of a zone");
  EXPECT_EQ(best("vacuum the carpet in the living room"), "start_cleaning");
  EXPECT_EQ(best("water the plants on the balcony"), "water_plants");
}

// Requests for software come close to some tool of a catalogue of software, even if it lacks what they are for.
TEST_F(Threshold, SoftwareThatTheCatalogueLacksIsWeak) {
  EXPECT_EQ(best("open a pull request from this branch"), "");
  EXPECT_EQ(best("print the file"), "");
  add("github", "create_pull_request", "Create a new pull request in a GitHub repository");
  add("printing", "print_document", "Prints a document on a printer");
  EXPECT_EQ(best("open a pull request from this branch"), "create_pull_request");
  EXPECT_EQ(best("print the file"), "print_document");
}

TEST_F(Threshold, SoftwareInGeneralIsKnown) {
  const auto known = [&](const std::vector<std::string>& texts) { return known_software(*encoder_->embed(texts)); };
  const auto all = known({"Trello: add a card to a board", "add a card to a board", "peel a kilo of potatoes"});
  ASSERT_EQ(all.size(), 3u);
  EXPECT_GT(all[0].closeness, 0.98);
  EXPECT_GT(all[1].closeness, 0.6);
  EXPECT_EQ(all[0].which, all[1].which);
  EXPECT_LT(all[2].closeness, 0.4);
  EXPECT_GT(closeness_to(all[0], *encoder_->embed_one("trello - add card: Adds a card to a list of a board")), 0.6);
  EXPECT_TRUE(known_software(std::vector<std::vector<float>>{{1, 0, 0}}).empty());  // a vector of another model
}

// The score of a tool does not depend on which others there are, and on their number only near the border.
TEST_F(Threshold, ScoresDoNotDependOnTheCatalogue) {
  const auto score = [&] {
    Query query = split_query("show the commits of a branch");
    EXPECT_TRUE(embed_query(query, *encoder_));
    return index_.search(query, 1, [](std::uint32_t id) { return id == 5; }).at(0).score;
  };
  const double among_few = score();
  const auto stone = *encoder_->embed_one("stone");
  for (int i = 0; i < 3000; ++i) {
    const ToolText tool = tool_text("many", "thing_" + std::to_string(i), "Does another thing with a stone.", "");
    index_.put(next_, tool);
    index_.set_vector(next_++, stone);
  }
  EXPECT_NEAR(score(), among_few, 0.05);
}

// Among many tools one comes close by accident, so the border is higher, unless programs do what is asked.
TEST(Border, RisesWithDoubtAndTheNumberOfTools) {
  const auto score = [](double coverage, std::size_t tools, double doubt = 0) {
    return score_of({0.19, coverage, doubt, tools}, CosineScale());
  };
  EXPECT_GT(score(0, 17), kDefaultThreshold);
  EXPECT_EQ(score(0, 17), score(0, 5000));
  EXPECT_LT(score(0, 17, 1), kDefaultThreshold);
  EXPECT_LT(score(0, 500, 1), score(0, 17, 1));
  EXPECT_EQ(score(0, 1, 1), score(0, 10, 1));
  EXPECT_EQ(score(0, 5000, 1), score(0, 100'000, 1));
  EXPECT_EQ(score(0.3, 500), score(0.9, 500));
  EXPECT_LT(score(0.1, 17, 2), score(0.1, 17, 1));
  const Closeness whole{0.19, 0, 0, 17};
  const Closeness clause{0.19, 0, 0, 17, true};
  EXPECT_LT(score_of(clause, CosineScale()), score_of(whole, CosineScale()));
}

// What comes closer to software in general than to a tool is for software that is missing.
TEST(Border, RisesWithHowCloseSoftwareInGeneralIs) {
  const auto score = [](double software) { return score_of({0.45, 0, 0, 17, false, software}, CosineScale()); };
  EXPECT_EQ(score(0), score(0.2));
  EXPECT_GT(score(0.45), kDefaultThreshold);
  EXPECT_LT(score(0.6), score(0.45));
  EXPECT_LT(score(0.9), kDefaultThreshold);
  // Unless the tool does just that.
  EXPECT_EQ(score_of({0.45, 0, 0, 17, false, 0.9, 0.9}, CosineScale()), score(0));
}

// Real requests to a workspace with few tools for which search wrongly found nothing.
class FewTools : public Threshold {
 protected:
  void SetUp() override {
    Threshold::SetUp();
    add("slack", "send", "Send a message to a channel of the team");
    add("shell", "exec", "Run a shell command");
    add("crm", "find", "Find a customer by name");
    add("memory", "add_observations", "Add new observations to existing entities in the knowledge graph");
  }
};

TEST_F(FewTools, TheRightOneIsNotWeak) {
  EXPECT_EQ(best("notify my colleagues about the outage"), "send");
  EXPECT_EQ(best("open a bug report"), "create_issue");
  EXPECT_EQ(best("who is the customer Miller"), "find");
  EXPECT_EQ(best("look up a client's contact data"), "find");
}

}  // namespace
}  // namespace glovebox::search
