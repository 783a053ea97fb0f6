#include "cache/flights.h"

#include <gtest/gtest.h>

namespace glovebox::cache {
namespace {

using Place = Flights::Place;

TEST(Flights, TheSecondWaitsForTheFirst) {
  Flights flights;
  int retried = 0;
  const auto retry = [&] { ++retried; };
  EXPECT_EQ(flights.join("a", retry), Place::kLeads);
  EXPECT_EQ(flights.join("a", retry), Place::kWaits);
  EXPECT_EQ(flights.join("a", retry), Place::kWaits);
  EXPECT_EQ(flights.join("b", retry), Place::kLeads);
  EXPECT_EQ(retried, 0);
  flights.leave("a", true);
  EXPECT_EQ(retried, 2);
  EXPECT_EQ(flights.join("a", retry), Place::kLeads) << "what was kept may have expired";
}

// Requests that waited in vain all continue at once, and none waits for such work again until it is kept.
TEST(Flights, NobodyWaitsForWhatIsNotKept) {
  Flights flights;
  std::vector<Place> places;
  EXPECT_EQ(flights.join("a", [] {}), Place::kLeads);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(flights.join("a", [&] { places.push_back(flights.join("a", [] {})); }), Place::kWaits);
  }
  flights.leave("a", false);
  EXPECT_EQ(places, (std::vector<Place>{Place::kAlone, Place::kAlone, Place::kAlone}));
  EXPECT_EQ(flights.size(), 0u);
  flights.leave("a", true);
  EXPECT_EQ(flights.join("a", [] {}), Place::kLeads);
}

}  // namespace
}  // namespace glovebox::cache
