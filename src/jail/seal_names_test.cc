#include "jail/seal_names.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace glovebox::jail {
namespace {

TEST(SealNames, TellTheStepThatFailed) {
  EXPECT_STREQ(seal_step_of_exit(kSealFailedExit), "rlimits");
  EXPECT_STREQ(seal_step_of_exit(kSealFailedExit + 5), "descriptors");
  EXPECT_STREQ(seal_step_of_exit(kSealFailedExit + static_cast<int>(kSealStepNames.size()) - 1), kSealStepNames.back());
}

// An exit of the engine itself must not be taken for a failed seal.
TEST(SealNames, KnowOtherExits) {
  for (const int code :
       {0, 1, kSealFailedExit - 1, kSealFailedExit + static_cast<int>(kSealStepNames.size()), 134, 255}) {
    EXPECT_EQ(seal_step_of_exit(code), nullptr) << code;
  }
}

// The filter comes last: what it forbids is what the other steps need.
TEST(SealNames, AreDifferentAndEndWithTheFilter) {
  std::set<std::string> names(kSealStepNames.begin(), kSealStepNames.end());
  EXPECT_EQ(names.size(), kSealStepNames.size());
  EXPECT_STREQ(kSealStepNames.back(), "seccomp");
}

}  // namespace
}  // namespace glovebox::jail
