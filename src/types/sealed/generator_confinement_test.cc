#include "types/sealed/generator_confinement.h"

#include <gtest/gtest.h>

#include <set>

#include "jail/confinement/confinement_table_fixture.h"
#include "jail/confinement/guest_confinement.h"

namespace glovebox::types {
namespace {

TEST(GeneratorConfinement, IsAsSecurityMdShowsIt) {
  jail::expect_as_shown(generator_confinement());
}

// It computes and speaks to its gateway, as a guest does, and has no engine.
TEST(GeneratorConfinement, HasNoCallThatAGuestHasNot) {
  std::set<std::string> of_guests;
  for (const jail::AllowedCall& call : jail::guest_confinement().filter.calls) of_guests.insert(call.name);
  for (const jail::AllowedCall& call : generator_confinement().filter.calls)
    EXPECT_TRUE(of_guests.contains(call.name)) << call.name;
  EXPECT_LT(generator_confinement().filter.calls.size(), jail::guest_confinement().filter.calls.size());
}

}  // namespace
}  // namespace glovebox::types
