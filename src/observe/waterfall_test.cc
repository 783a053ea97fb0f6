#include "observe/waterfall.h"

#include <gtest/gtest.h>

#include "observe/semantic_names.h"

namespace glovebox::observe {
namespace {

SpanId id(int number) {
  return span_id_of("000000000000000" + std::to_string(number)).value_or(SpanId());
}

Span span(int number, int parent, std::string name, std::int64_t start, std::int64_t end) {
  Span made;
  made.id = id(number);
  made.parent = id(parent);
  made.name = std::move(name);
  made.start_us = start;
  made.end_us = end;
  return made;
}

TEST(Waterfall, DrawsWhatIsBeneathARun) {
  std::vector<Span> spans = {span(3, 2, "later", 60'000, 100'000), span(1, 9, "run", 0, 100'000),
                             span(2, 1, "execution", 50'000, 100'000), span(4, 2, "tools/call get", 50'000, 75'000),
                             span(5, 8, "somebody else's", 0, 1)};
  spans[3].set(names::kToolName, std::string("get"));
  spans[3].set(names::kServer, std::string("shop"));
  spans[3].set(names::kErrorType, std::string("RPC_TIMEOUT"));
  spans[3].status = Span::Status::kError;
  const auto tree = tree_of(spans, id(1));
  ASSERT_EQ(tree.size(), 4u);
  EXPECT_EQ(waterfall(tree, {.width = 72, .now_us = 0, .has_unicode = false}),
            "run                            100 ms ##################################\n"
            "  execution                     50 ms                  #################\n"
            "    shop.get ! RPC_TIMEOUT      25 ms                  !!!!!!!!\n"
            "    later                       40 ms                     ##############\n");
}

TEST(Waterfall, ShowsWhatGoesOn) {
  const auto tree = tree_of({span(1, 0, "run", 0, 0), span(2, 1, "approval", 500'000, 0)}, id(1));
  const std::string drawn = waterfall(tree, {.width = 60, .now_us = 200'000'000, .has_unicode = true});
  EXPECT_NE(drawn.find("approval"), std::string::npos);
  EXPECT_NE(drawn.find("3.3 min…"), std::string::npos) << drawn;
}

// Spans may come from a caller that makes up ids.
TEST(Waterfall, EndsWithCirclesAndTwins) {
  const auto tree = tree_of(
      {span(1, 2, "a", 0, 1), span(2, 1, "b", 0, 1), span(2, 1, "twin", 0, 1), span(3, 3, "self", 0, 1)}, id(1));
  EXPECT_EQ(tree.size(), 2u);
  EXPECT_TRUE(tree_of({}, id(1)).empty());
  EXPECT_EQ(waterfall({}, {}), "");
  // A name of any length leaves room for the rest.
  const std::string drawn = waterfall({span(1, 0, std::string(1000, 'x') + "é", 5, 5)}, {.width = 60});
  EXPECT_LT(drawn.size(), 80u);
}

}  // namespace
}  // namespace glovebox::observe
