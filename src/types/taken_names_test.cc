#include "types/taken_names.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "base/source_folder.h"

namespace glovebox::types {
namespace {

TEST(TakenNames, HoldsEveryGlobalOfAGuest) {
  std::ifstream golden(base::source_folder() + "/tests/golden/globals.txt");
  std::string line;
  int globals = 0;
  while (std::getline(golden, line)) {
    if (line.empty() || line[0] == '#' || line.find('.') != line.npos) continue;
    EXPECT_TRUE(is_taken_name(line)) << line;
    ++globals;
  }
  EXPECT_GT(globals, 100);
  EXPECT_FALSE(is_taken_name("github"));
  EXPECT_FALSE(is_taken_name(""));
}

}  // namespace
}  // namespace glovebox::types
