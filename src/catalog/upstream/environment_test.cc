#include "catalog/upstream/environment.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>

namespace glovebox::catalog {
namespace {

TEST(Environment, OfAServerHasNothingOfOursThatIsSecret) {
  ::setenv("GLOVEBOX_TEST_SECRET", "x", 1);
  ::setenv("LC_TEST", "c", 1);
  ::setenv("HOME", "/home/ours", 1);
  const std::vector<std::string> all = server_environment({{"TOKEN", "t=1"}, {"HOME", "/home/other"}});
  const auto has = [&](const char* entry) { return std::count(all.begin(), all.end(), entry); };
  EXPECT_EQ(has("TOKEN=t=1"), 1);
  EXPECT_EQ(has("HOME=/home/other"), 1);
  EXPECT_EQ(has("HOME=/home/ours"), 0);
  EXPECT_EQ(has("LC_TEST=c"), 1);
  EXPECT_FALSE(
      std::any_of(all.begin(), all.end(), [](const std::string& entry) { return entry.starts_with("GLOVEBOX"); }));
  EXPECT_EQ(std::count_if(all.begin(), all.end(), [](const std::string& entry) { return entry.starts_with("PATH="); }),
            1);
}

}  // namespace
}  // namespace glovebox::catalog
