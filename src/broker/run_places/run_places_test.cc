#include "broker/run_places/run_places.h"

#include <gtest/gtest.h>

namespace glovebox::broker {
namespace {

std::size_t itself(std::size_t memory) {
  return memory;
}

TEST(RunPlaces, BoundsRunsAndTheirMemoryTogether) {
  RunPlaces places(3, 100);
  EXPECT_TRUE(places.has_room(100));
  EXPECT_FALSE(places.has_room(101));
  places.take(60);
  EXPECT_FALSE(places.has_room(41));
  places.take(20);
  places.take(20);
  EXPECT_FALSE(places.has_room(0)) << "three is all";
  places.give_back(60);
  EXPECT_TRUE(places.has_room(60));
}

TEST(RunPlaces, WhoComesFirstIsNotPassedBySmallerOnes) {
  RunPlaces places(10, 100);
  places.take(40);
  EXPECT_EQ(places.room_for(std::vector<std::size_t>{30, 80, 1}, itself), 1u);
  EXPECT_EQ(places.room_for(std::vector<std::size_t>{80, 1}, itself), 0u);
}

TEST(RunPlaces, WithoutALimitMemoryIsNotCounted) {
  RunPlaces places(1, 0);
  EXPECT_TRUE(places.has_room(std::size_t{1} << 40));
}

TEST(RunPlaces, TellsEverybodyOfRoom) {
  RunPlaces places(1, 0);
  int told = 0;
  places.when_free([&] { ++told; });
  places.when_free([&] { ++told; });
  places.take(1);
  places.give_back(1);
  EXPECT_EQ(told, 2);
}

}  // namespace
}  // namespace glovebox::broker
