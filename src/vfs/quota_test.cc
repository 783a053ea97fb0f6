#include "vfs/quota.h"

#include <gtest/gtest.h>

namespace glovebox::vfs {
namespace {

TEST(Quota, GivesWhatThereIsAndNoMore) {
  Quota quota(10, 2);
  EXPECT_TRUE(quota.take_bytes(4));
  EXPECT_FALSE(quota.take_bytes(7));
  EXPECT_EQ(quota.bytes_left(), 6U);
  EXPECT_FALSE(quota.take_bytes(UINT64_MAX));
  EXPECT_TRUE(quota.take_bytes(6));
  EXPECT_TRUE(quota.take_bytes(0));
  EXPECT_FALSE(quota.take_bytes(1));
  EXPECT_TRUE(quota.take_file());
  EXPECT_TRUE(quota.take_file());
  EXPECT_FALSE(quota.take_file());
  quota.return_file();
  EXPECT_TRUE(quota.take_file());
}

}  // namespace
}  // namespace glovebox::vfs
