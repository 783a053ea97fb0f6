#include "broker/run_places.h"

#include <gtest/gtest.h>

#include <random>
#include <tuple>

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

// What the rules say, run by run: a longer way to the same order.
struct ByTheRules {
  struct Client {
    std::size_t runs = 0, memory = 0;
    int last = 0;
  };
  RunPlaces::Limits limits;
  RunPlaces places{limits};
  std::map<std::string, Client> clients{};
  int begun = 0;

  bool has_share(const PlaceWish& wish) {
    const Client& client = clients[wish.client];
    return client.runs == 0 || client.memory + wish.memory_bytes <= limits.client_memory_bytes;
  }
  void take(const PlaceWish& wish) {
    places.take(wish);
    Client& client = clients[wish.client];
    ++client.runs;
    client.memory += wish.memory_bytes;
    client.last = ++begun;
  }
  Places order_of(const Line& line) {
    Places chosen;
    const auto is_left = [&](std::size_t i) { return std::find(chosen.begin(), chosen.end(), i) == chosen.end(); };
    for (;;) {
      std::optional<std::size_t> best;
      for (std::size_t i = 0; i < line.size(); ++i) {
        if (!is_left(i) || (line[i].depth > 0 ? !places.has_room(line[i]) : !has_share(line[i]))) continue;
        const auto turn = [&](std::size_t at) {
          const Client& client = clients[line[at].client];
          return std::tuple(line[at].depth == 0, line[at].depth ? 0 : client.runs, line[at].depth ? 0 : client.last);
        };
        if (!best || turn(i) < turn(*best)) best = i;
      }
      if (!best || !places.has_room(line[*best])) return chosen;
      take(line[*best]);
      chosen.push_back(*best);
    }
  }
};

TEST(RunPlaces, ChoosesFromAnyLineAsTheRulesSay) {
  std::mt19937 random(7);
  const auto below = [&](unsigned end) { return static_cast<std::size_t>(random() % end); };
  std::size_t chosen = 0;
  for (int round = 0; round < 2'000; ++round) {
    ByTheRules rules{{.runs = 1 + below(20), .memory_bytes = 50 + below(300), .client_memory_bytes = 20 + below(80)}};
    const auto some_wish = [&] {
      return PlaceWish{1 + below(40), std::string(1, static_cast<char>('a' + below(4))), below(8) ? 0 : 1 + below(2)};
    };
    for (std::size_t i = below(6); i > 0; --i) {
      if (const PlaceWish wish = some_wish(); rules.places.has_room(wish)) rules.take(wish);
    }
    Line line(below(25));
    for (PlaceWish& wish : line) wish = some_wish();
    const Places fitting = rules.places.fitting(line, itself);
    chosen += fitting.size();
    ASSERT_EQ(fitting, rules.order_of(line)) << "round " << round;
  }
  EXPECT_GT(chosen, 2'000u);
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
