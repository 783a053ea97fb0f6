#include "discovery/embedding_queue.h"

#include <gtest/gtest.h>

namespace glovebox::discovery {
namespace {

std::vector<std::uint32_t> ids(const std::vector<WaitingText>& texts) {
  std::vector<std::uint32_t> list;
  for (const WaitingText& text : texts) list.push_back(text.id);
  return list;
}

TEST(EmbeddingQueue, ServersTakeTurns) {
  EmbeddingQueue queue;
  for (std::uint32_t id = 0; id < 100; ++id) queue.put({id, 1, "large", "x"});
  queue.put({100, 1, "small", "y"});
  queue.put({101, 1, "tiny", "z"});
  EXPECT_EQ(ids(queue.take(4)), (std::vector<std::uint32_t>{0, 100, 101, 1}));
  EXPECT_EQ(queue.size(), 98u);
  EXPECT_EQ(ids(queue.take(2)), (std::vector<std::uint32_t>{2, 3}));
}

TEST(EmbeddingQueue, GivesTheLastTextOfATool) {
  EmbeddingQueue queue;
  queue.put({1, 1, "a", "old"});
  queue.put({1, 2, "a", "new"});
  queue.put({2, 3, "a", "gone"});
  queue.remove(2);
  const auto taken = queue.take(10);
  ASSERT_EQ(taken.size(), 1u);
  EXPECT_EQ(taken[0].text, "new");
  EXPECT_EQ(taken[0].version, 2u);
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.take(1).empty());
  queue.put({2, 4, "b", "again"});
  EXPECT_EQ(queue.take(10).size(), 1u);
}

}  // namespace
}  // namespace glovebox::discovery
