#include "base/program_part.h"

#include <gtest/gtest.h>
#include <unistd.h>

namespace glovebox::base {
namespace {

TEST(ProgramPart, StandsBesideTheProgramOrWhereItWasBuilt) {
  const std::string beside = program_part("base_test");
  EXPECT_EQ(::access(beside.c_str(), X_OK), 0) << beside;
  // This program stands where it was built.
  EXPECT_EQ(program_part("there-is-no-such-part"), beside.substr(0, beside.rfind('/')) + "/there-is-no-such-part");
}

}  // namespace
}  // namespace glovebox::base
