#include "base/text/twice_said.h"

#include <gtest/gtest.h>

namespace glovebox::base {
namespace {

TEST(TwiceSaid, TheTextIsTheValueAsAString) {
  EXPECT_EQ(with_text(R"({"text":"","value":{"a":"b"},"c":1})", {9, 19, 28}),
            R"({"text":"{\"a\":\"b\"}","value":{"a":"b"},"c":1})");
  EXPECT_EQ(with_text(R"({"text":"","value":7})", {9, 19, 20}), R"({"text":"7","value":7})");
}

}  // namespace
}  // namespace glovebox::base
