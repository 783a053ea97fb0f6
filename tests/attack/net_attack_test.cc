// Runs the hostile programs of tests/attack/f/ in an internet that ends at this process.
#include <gtest/gtest.h>

#include "internet/own_internet.h"
#include "oracle/footprint.h"
#include "oracle/hostile_program.h"

int main(int argc, char** argv) {
  glovebox::attack::allocate_in_one_arena();
  testing::InitGoogleTest(&argc, argv);
  glovebox::attack::register_programs({"f"});
  if (!GTEST_FLAG_GET(list_tests)) glovebox::attack::OwnInternet::enter();
  return RUN_ALL_TESTS();
}
