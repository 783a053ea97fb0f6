#include "observe/trace_context.h"

#include <gtest/gtest.h>

namespace glovebox::observe {
namespace {

const std::string kTrace = "4bf92f3577b34da6a3ce929d0e0e4736";
const std::string kSpan = "00f067aa0ba902b7";
const std::string kGood = "00-" + kTrace + "-" + kSpan + "-01";

TEST(TraceContext, ReadsAndWrites) {
  const auto context = read_traceparent(kGood);
  ASSERT_TRUE(context);
  EXPECT_EQ(to_hex(context->trace), kTrace);
  EXPECT_EQ(to_hex(context->span), kSpan);
  EXPECT_TRUE(context->sampled);
  EXPECT_EQ(traceparent(*context), kGood);
  EXPECT_FALSE(read_traceparent("00-" + kTrace + "-" + kSpan + "-00")->sampled);
  // Of a future version, the known fields are used.
  EXPECT_EQ(traceparent(*read_traceparent("cc-" + kTrace + "-" + kSpan + "-01-what-is-new")), kGood);
}

TEST(TraceContext, RefusesWhatIsNone) {
  const std::string zeros(32, '0');
  for (const std::string& text : {
           std::string(),
           std::string("00"),
           kGood.substr(0, 54),
           kGood + "-more",  // version 00 ends there
           kGood + "0",
           "ff" + kGood.substr(2),
           "cc" + kGood.substr(2) + "x",
           "00-" + zeros + "-" + kSpan + "-01",
           "00-" + kTrace + "-" + zeros.substr(16) + "-01",
           "00-4BF92F3577B34DA6A3CE929D0E0E4736-" + kSpan + "-01",  // no capitals
           "00-" + kTrace + "-" + kSpan + "-0g",
           "00_" + kTrace + "-" + kSpan + "-01",
           kGood.substr(0, 20) + std::string(1, '\0') + kGood.substr(21),
           "00-" + std::string(32, '\xff') + "-" + kSpan + "-01",
           std::string(100000, '-'),
       }) {
    EXPECT_FALSE(read_traceparent(text)) << text.substr(0, 100);
  }
}

TEST(TraceContext, NewIdsDiffer) {
  EXPECT_FALSE(new_trace_id() == new_trace_id());
  EXPECT_TRUE(new_span_id());
  EXPECT_EQ(trace_id_of(kTrace + "00"), std::nullopt);
}

}  // namespace
}  // namespace glovebox::observe
