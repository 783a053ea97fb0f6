#include "calls/limit_error.h"

#include <gtest/gtest.h>

namespace glovebox::calls {
namespace {

using namespace std::chrono_literals;

TEST(LimitError, ShowsTimesAsPeopleSayThem) {
  EXPECT_EQ(shown_time(250ms), "250 ms");
  EXPECT_EQ(shown_time(30s), "30 s");
  EXPECT_EQ(shown_time(1500ms), "1.5 s");
  EXPECT_EQ(shown_time(90s), "90 s");
  EXPECT_EQ(shown_time(10min), "10 minutes");
}

TEST(LimitError, NamesTheKeyThatRaisesIt) {
  RunRequest request;
  EXPECT_EQ(own_time_error(request.config).message, "the code ran longer than its limit of 30 s (sandbox.timeoutMs)");
  EXPECT_EQ(total_time_error(request.config).message,
            "the run and its tools took longer than its limit of 10 minutes (sandbox.totalTimeoutMs)");
  EXPECT_EQ(cpu_error(request).message, "the code used more CPU time than its limit of 30 s (sandbox.cpuMs)");
  EXPECT_EQ(memory_error(request).message, "the code needs more memory than its limit of 512 MB (sandbox.memoryMB)");
  request.language = Language::kPython;
  request.config.cpu = request.config.python_cpu;
  request.config.memory_bytes = request.config.python_memory_bytes;
  EXPECT_EQ(cpu_error(request).message, "the code used more CPU time than its limit of 5 s (python.timeoutMs)");
  EXPECT_EQ(memory_error(request).message, "the code needs more memory than its limit of 128 MB (python.memoryMb)");
  request.config.cpu = 1s;
  request.config.memory_bytes = std::size_t{64} << 20;
  EXPECT_NE(cpu_error(request).message.find("(sandbox.cpuMs)"), std::string::npos);
  EXPECT_NE(memory_error(request).message.find("(sandbox.memoryMB)"), std::string::npos);
}

TEST(LimitError, SaysWhatWasCalledBefore) {
  const auto call = [](std::string target, std::string op = "tool") {
    TraceEntry entry;
    entry.op = std::move(op);
    entry.target = std::move(target);
    return entry;
  };
  EXPECT_EQ(calls_before({}, 0), "");
  EXPECT_EQ(calls_before({call("/etc/x", "fs.read")}, 0), "");
  EXPECT_EQ(calls_before({call("a.b"), call("c.d"), call("a.b"), call("x", "fs.read")}, 3),
            "; before that it called a.b 2 times, c.d once");
  EXPECT_EQ(calls_before({call("a.b")}, 5), "; before that it called a.b once, others 4 times");
  std::vector<TraceEntry> many;
  for (int i = 0; i < 1000; ++i) many.push_back(call(std::to_string(i) + std::string(500, 'x') + "\x1b[2J\n"));
  const std::string text = calls_before(many, 1000);
  EXPECT_LT(text.size(), 1000u);
  EXPECT_NE(text.find(", others 992 times"), std::string::npos) << text;
  EXPECT_EQ(calls_before({call("a\x1b[2J")}, 1).find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace glovebox::calls
