#include "broker/run_places.h"

#include <gtest/gtest.h>

namespace glovebox::broker {
namespace {

using Line = std::vector<PlaceWish>;
using Places = std::vector<std::size_t>;

PlaceWish itself(const PlaceWish& wish) {
  return wish;
}

TEST(RunPlaces, BoundsRunsAndTheirMemoryTogether) {
  RunPlaces places({.runs = 3, .memory_bytes = 100});
  EXPECT_TRUE(places.has_room({100}));
  EXPECT_FALSE(places.has_room({101}));
  places.take({60});
  EXPECT_FALSE(places.has_room({41}));
  places.take({20});
  places.take({20});
  EXPECT_FALSE(places.has_room({0})) << "three is all";
  places.give_back({60});
  EXPECT_TRUE(places.has_room({60}));
}

TEST(RunPlaces, WhoComesFirstIsNotPassedBySmallerOnes) {
  RunPlaces places({.runs = 10, .memory_bytes = 100});
  places.take({40});
  EXPECT_EQ(places.fitting(Line{{30}, {80}, {1}}, itself), (Places{0}));
  EXPECT_EQ(places.fitting(Line{{80}, {1}}, itself), Places{});
}

TEST(RunPlaces, WithoutALimitMemoryIsNotCounted) {
  const RunPlaces places({.runs = 1});
  EXPECT_TRUE(places.has_room({std::size_t{1} << 40}));
}

TEST(RunPlaces, NextIsTheClientWithTheFewest) {
  RunPlaces places({.runs = 4});
  places.take({1, "ann"});
  EXPECT_EQ(places.fitting(Line{{1, "ann"}, {1, "ann"}, {1, "ben"}, {1, "ben"}, {1, "cy"}}, itself), (Places{2, 4, 0}));
  places.give_back({1, "ann"});
  EXPECT_EQ(places.fitting(Line{{1, "ann"}, {1, "ann"}, {1, "ben"}}, itself), (Places{2, 0, 1}));
}

TEST(RunPlaces, WhereThereIsOnePlaceClientsTakeTurns) {
  RunPlaces places({.runs = 1});
  const Line line{{1, "ann"}, {1, "ann"}, {1, "ben"}};
  EXPECT_EQ(places.fitting(line, itself), Places{0});
  places.take(line[0]);
  places.give_back(line[0]);
  EXPECT_EQ(places.fitting(line, itself), Places{2});
}

TEST(RunPlaces, AClientThatHasItsShareIsPassed) {
  RunPlaces places({.runs = 10, .memory_bytes = 100, .client_memory_bytes = 50});
  EXPECT_TRUE(places.has_room({80, "ann"})) << "one it may always have";
  places.take({40, "ann"});
  EXPECT_FALSE(places.has_room({20, "ann"}));
  EXPECT_EQ(places.fitting(Line{{20, "ann"}, {20, "ben"}, {10, "ann"}}, itself), (Places{1, 2}));
}

TEST(RunPlaces, WhatIsWaitedForByARunDoesNotWaitForIt) {
  RunPlaces places({.runs = 1});
  places.take({1, "ann"});
  EXPECT_FALSE(places.has_room({1, "ann"}));
  const Line line{{1, "ben"}, {1, "ann", 1}, {1, "ann", 1}, {1, "ann", 2}};
  EXPECT_EQ(places.fitting(line, itself), (Places{1, 3})) << "one at each depth";
  places.take({1, "ann", 1});
  EXPECT_FALSE(places.has_room({1, "ben", 1}));
  EXPECT_TRUE(places.has_room({1, "ann", 2}));
  places.give_back({1, "ann", 1});
  EXPECT_TRUE(places.has_room({1, "ben", 1}));
}

TEST(RunPlaces, TellsEverybodyOfRoom) {
  RunPlaces places({.runs = 1});
  int notified = 0;
  places.when_free([&] { ++notified; });
  places.when_free([&] { ++notified; });
  places.take({1});
  places.give_back({1});
  EXPECT_EQ(notified, 2);
}

}  // namespace
}  // namespace glovebox::broker
