#include "observe/metrics.h"

#include <gtest/gtest.h>

namespace glovebox::observe {
namespace {

TEST(Metrics, PrintPrometheusText) {
  Registry registry;
  Counter& calls = registry.counter({"calls_total", "Calls.", {"server"}});
  Histogram& times = registry.histogram({"call_time", "Times.", {}}, {1, 2.5});
  Gauge& pool = registry.gauge({"pool", "Waiting.", {}});
  calls.add({"a"}, 2);
  calls.add({"a"});
  times.observe(1);
  times.observe(2);
  times.observe(7.5);
  pool.set(4);
  EXPECT_EQ(registry.text(), R"(# HELP calls_total Calls.
# TYPE calls_total counter
calls_total{server="a"} 3
# HELP call_time Times.
# TYPE call_time histogram
call_time_bucket{le="1"} 1
call_time_bucket{le="2.5"} 2
call_time_bucket{le="+Inf"} 3
call_time_sum 10.5
call_time_count 3
# HELP pool Waiting.
# TYPE pool gauge
pool 4
)");
}

// Names of servers are untrusted: none can end its line, nor make another.
TEST(Metrics, EscapeLabels) {
  Registry registry;
  registry.counter({"calls_total", "One\nline \\.", {"server"}}).add({"a\"} 1\nforged_total 9\\\r\x01"});
  EXPECT_EQ(registry.text(),
            "# HELP calls_total One\\nline \\\\.\n# TYPE calls_total counter\n"
            "calls_total{server=\"a\\\"} 1\\nforged_total 9\\\\\"} 1\n");
}

TEST(Metrics, LabelsAreBounded) {
  Counter calls({"calls_total", "Calls.", {"server", "outcome"}, 3});
  for (int i = 0; i < 100; ++i) calls.add({"server" + std::to_string(i), "ok"});
  EXPECT_EQ(calls.value({"server2", "ok"}), 1);
  EXPECT_EQ(calls.value({"server3", "ok"}), 0);
  EXPECT_EQ(calls.value({kOtherLabel, kOtherLabel}), 97);
  calls.add({"server1", "ok"});
  EXPECT_EQ(calls.value({"server1", "ok"}), 2);
  EXPECT_EQ(calls.total(), 101);
  Counter long_ones({"calls_total", "Calls.", {"server"}});
  long_ones.add({std::string(127, 'x') + "é" + std::string(1000, 'y')});
  EXPECT_EQ(long_ones.value({std::string(127, 'x')}), 1);  // cut before the letter that does not fit
}

TEST(Metrics, CountersOnlyGrow) {
  Counter calls({"calls_total", "Calls.", {}});
  calls.add({}, -5);
  EXPECT_EQ(calls.value(), 0);
}

TEST(Metrics, GaugesOfWhatIsGoneAreGone) {
  Gauge up({"up", "Up.", {"server"}});
  up.set(1, {"a"});
  up.clear();
  up.set(0, {"b"});
  std::string text;
  up.print(text);
  EXPECT_EQ(text, "# HELP up Up.\n# TYPE up gauge\nup{server=\"b\"} 0\n");
}

}  // namespace
}  // namespace glovebox::observe
