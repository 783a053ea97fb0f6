#include "discovery/tool_ids.h"

#include <gtest/gtest.h>

namespace glovebox::discovery {
namespace {

TEST(ToolIds, AnIdIsUsedAgainOnceItsToolIsGone) {
  ToolIds ids;
  EXPECT_EQ(ids.put("a"), 0u);
  EXPECT_EQ(ids.put("b"), 1u);
  EXPECT_EQ(ids.put("c"), 2u);
  EXPECT_EQ(ids.put("b"), 1u);
  ids.remove("b");
  ids.remove("a");
  ids.remove("nothing");
  EXPECT_EQ(ids.size(), 1u);
  EXPECT_EQ(ids.find("a"), nullptr);
  EXPECT_EQ(*ids.find("c"), 2u);
  EXPECT_EQ(ids.put("d"), 0u);
  EXPECT_EQ(ids.put("c"), 2u);
  EXPECT_EQ(ids.put("e"), 1u);
  EXPECT_EQ(ids.put("f"), 3u);
}

}  // namespace
}  // namespace glovebox::discovery
