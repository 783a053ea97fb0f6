#include "search/fusion.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace glovebox::search {
namespace {

// A request of two needs: two tools come close to the first, and both a little closer than any does to the second.
TEST(Fusion, EachClauseGetsAToolBeforeOneGetsTwo) {
  const std::vector<std::uint32_t> rows = {0, 1, 2, 3, 4, 5};
  const std::vector<float> whole(6), first = {1, 0.98F, 0, 0, 0, 0}, second = {0, 0, 0.9F, 0.88F, 0.5F, 0};
  std::vector<Evidence> texts(3);
  texts[0].words = {std::vector<float>(6), std::vector<float>(6), 0};
  texts[0].cosines = whole;
  texts[1].cosines = first;
  texts[2].cosines = second;
  const auto order = [&](float crowding) {
    FusionConstants constants;
    constants.crowding = crowding;
    std::vector<Ranked> ranked = fuse(texts, rows, constants);
    std::sort(ranked.begin(), ranked.end(), [](const Ranked& a, const Ranked& b) { return a.rank > b.rank; });
    return std::vector<std::uint32_t>{ranked[0].row, ranked[1].row, ranked[2].row};
  };
  EXPECT_EQ(order(0), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(order(0.2F), (std::vector<std::uint32_t>{0, 2, 1}));
}

}  // namespace
}  // namespace glovebox::search
