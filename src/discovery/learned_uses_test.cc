#include "discovery/learned_uses.h"

#include <gtest/gtest.h>

#include <cmath>

namespace glovebox::discovery {
namespace {

store::UseRecord use(const std::string& intent, const std::string& tool, std::vector<float> vector = {},
                     std::int64_t count = 1) {
  return {"ann", "s", tool, intent, vector.empty() ? "" : "m", vector_bytes(vector), count, 1};
}

TEST(LearnedUses, SimilarIntentsSpeakForTheirTools) {
  const LearnedUses uses({use("send a letter to the bank", "mail", {1, 0}), use("water the plants", "hose", {0, 1})});
  const std::vector<float> near = {std::cos(0.3F), std::sin(0.3F)};
  const auto about = uses.about({"write to my bank", "m", near, {}});
  ASSERT_EQ(about.size(), 1u);
  EXPECT_EQ(about.begin()->first, "s.mail");
  EXPECT_GT(about.at("s.mail").weight, 0.9);
  EXPECT_EQ(about.at("s.mail").intents, std::vector<std::string>{"send a letter to the bank"});
  // Close to neither.
  const std::vector<float> between = {std::cos(1.2F), std::sin(1.2F)};
  EXPECT_FALSE(uses.about({"something else", "m", between, {}}).contains("s.mail"));
}

TEST(LearnedUses, VectorsOfAnotherModelAreNotCompared) {
  const LearnedUses uses({use("send a letter to the bank", "mail", {1, 0})});
  const std::vector<float> same = {1, 0};
  EXPECT_TRUE(uses.about({"quite another thing", "other model", same, {}}).empty());
  // Words still are compared.
  EXPECT_TRUE(uses.about({"send the bank a letter", "other model", same, {}}).contains("s.mail"));
  EXPECT_TRUE(uses.about({"send the bank a letter", "", {}, {}}).contains("s.mail"));
  EXPECT_TRUE(uses.about({"send flowers", "", {}, {}}).empty());
}

TEST(LearnedUses, ABoostIsSmallAndBounded) {
  EXPECT_EQ(boost_of({}), 0);
  double last = 0;
  for (const double weight : {0.5, 1.0, 4.0, 1e9}) {
    EXPECT_GT(boost_of({weight, {}}), last);
    last = boost_of({weight, {}});
    EXPECT_LE(last, kMostBoost);
  }
  // A loop is not a habit.
  const LearnedUses often({use("send a letter", "mail", {}, 1'000'000)});
  EXPECT_LE(often.about({"send a letter", "", {}, {}}).at("s.mail").weight, 4.0);
}

TEST(LearnedUses, TheSameUseIsCountedAndTheOldestGo) {
  LearnedUses uses({});
  for (int i = 0; i < 3; ++i) uses.add(use("send a letter", "mail"), 2);
  EXPECT_EQ(uses.size(), 1u);
  EXPECT_NEAR(uses.about({"send a letter", "", {}, {}}).at("s.mail").weight, 3, 1e-9);
  uses.add(use("water plants", "hose"), 2);
  uses.add(use("mow the lawn", "mower"), 2);
  EXPECT_EQ(uses.size(), 2u);
  EXPECT_TRUE(uses.about({"send a letter", "", {}, {}}).empty());
}

TEST(LearnedUses, ADamagedVectorCountsForNothing) {
  const std::vector<float> sound = {0.6F, -0.8F};
  EXPECT_EQ(vector_of(vector_bytes(sound)), sound);
  EXPECT_TRUE(vector_of("abc").empty());
  EXPECT_TRUE(vector_of(vector_bytes(std::vector<float>{NAN, 0})).empty());
  EXPECT_TRUE(vector_of(vector_bytes(std::vector<float>{1e30F, 0})).empty());
  EXPECT_TRUE(vector_of("").empty());
}

}  // namespace
}  // namespace glovebox::discovery
