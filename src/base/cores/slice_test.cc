#include "base/cores/slice.h"

#include <gtest/gtest.h>

#include <thread>

namespace glovebox::base {
namespace {

std::uint64_t slice_here() {
  const auto now = kernel::scheduling_of(0);
  return now ? now->slice : 0;
}

// On a thread of its own, so that no other test has its slice.
class SliceTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto now = kernel::scheduling_of(0);
    if (!now || now->slice == 0) GTEST_SKIP() << "this kernel has one slice for all";
    if (now->policy != SCHED_OTHER || now->nice < 0) GTEST_SKIP() << "the tests have a priority of their own";
    usual = now->slice;
  }
  std::uint64_t usual = 0;
};

TEST_F(SliceTest, OfAThreadThatAnswersSoonIsNotThatOfWhatItStarts) {
  std::thread([this] {
    answer_soon();
    EXPECT_EQ(slice_here(), static_cast<std::uint64_t>(Slice::kShort));
    std::thread([this] { EXPECT_EQ(slice_here(), usual); }).join();
  }).join();
}

TEST_F(SliceTest, IsInheritedAndReset) {
  std::thread([this] {
    set_slice(0, Slice::kLong);
    EXPECT_EQ(slice_here(), static_cast<std::uint64_t>(Slice::kLong));
    std::thread([this] {
      EXPECT_EQ(slice_here(), static_cast<std::uint64_t>(Slice::kLong));
      set_slice(0, Slice::kUsual);
      EXPECT_EQ(slice_here(), usual);
    }).join();
  }).join();
}

TEST_F(SliceTest, OfAProcessThatIsGoneIsIgnored) {
  set_slice(-1, Slice::kLong);
  EXPECT_EQ(slice_here(), usual);
}

}  // namespace
}  // namespace glovebox::base
