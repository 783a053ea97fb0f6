#include "jail/confinement/guest_confinement.h"

#include <gtest/gtest.h>

#include "jail/confinement/confinement_table_fixture.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

// Every change of it is deliberate, and shows up as a change of that page.
TEST(GuestConfinement, IsAsSecurityMdShowsIt) {
  expect_as_shown(guest_confinement());
}

TEST(GuestConfinement, TellsTheStepThatFailed) {
  const auto& steps = guest_confinement().steps;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const char* named = seal_step_of_exit(kSealFailedExit + static_cast<int>(i));
    if (steps[i].where == MadeIn::kGuest) {
      EXPECT_STREQ(named, steps[i].name);
    } else {
      EXPECT_EQ(named, nullptr) << steps[i].name << " is made before there is a guest";
    }
  }
}

// An exit of the engine itself must not be taken for a failed seal.
TEST(GuestConfinement, KnowsOtherExits) {
  const int end = kSealFailedExit + static_cast<int>(guest_confinement().steps.size());
  for (const int code : {0, 1, kSealFailedExit - 1, end, 134, 255}) EXPECT_EQ(seal_step_of_exit(code), nullptr) << code;
}

// The filter comes last, since it forbids what the other steps need.
TEST(GuestConfinement, EndsWithTheFilterAndGoesFromClonesToGuests) {
  const auto& steps = guest_confinement().steps;
  EXPECT_STREQ(steps.back().name, "seccomp");
  for (std::size_t i = 1; i < steps.size(); ++i) EXPECT_LE(steps[i - 1].where, steps[i].where) << steps[i].name;
}

// A step that fails stops the list and is named, with its part and the reason.
TEST(Steps, StopAtTheFirstThatFails) {
  static int made;
  made = 0;
  constexpr Step kSteps[] = {
      {"elsewhere", MadeIn::kZygote, [](Subject&) { return ++made, false; }},
      {"first", MadeIn::kGuest, [](Subject&) { return ++made, true; }},
      {"second", MadeIn::kGuest,
       [](Subject& subject) {
         subject.failed_part = "half";
         errno = EPERM;
         return false;
       }},
      {"third", MadeIn::kGuest, [](Subject&) { return ++made, true; }},
  };
  const Confinement confinement{"test", 0, kEmptyRoot, Readable::kNothing, {}, {}, kSteps};
  Subject subject{confinement};
  const Step* failed = apply_steps(MadeIn::kGuest, subject);
  ASSERT_EQ(failed, &kSteps[2]);
  EXPECT_EQ(made, 1);
  char text[64];
  errno = EPERM;
  EXPECT_EQ(std::string(text, describe_failure(*failed, subject, text)), "second: half: Operation not permitted");
  char small[6];
  EXPECT_EQ(std::string(small, describe_failure(*failed, subject, small)), "second");
}

}  // namespace
}  // namespace glovebox::jail
