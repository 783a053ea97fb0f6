#include "observe/log.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace glovebox::observe {
namespace {

TEST(Log, TextIsForPeople) {
  EXPECT_EQ(log_line(Log::Format::kText, Level::kInfo, "listening", {}, 0), "glovebox: listening\n");
  EXPECT_EQ(log_line(Log::Format::kText, Level::kWarn, "blocked", {{"run", "run_1"}, {"op", "fs.read"}, {"x", ""}}, 0),
            "glovebox: warning: blocked (run=run_1 op=fs.read)\n");
}

TEST(Log, JsonIsOneObjectPerLine) {
  EXPECT_EQ(log_line(Log::Format::kJson, Level::kError, "no \"store\"", {{"run", "run_1"}}, 1'700'000'000'007),
            R"({"time":"2023-11-14T22:13:20.007Z","level":"error","message":"no \"store\"","run":"run_1"})"
            "\n");
}

TEST(Log, NumbersAreNumbers) {
  EXPECT_EQ(log_line(Log::Format::kText, Level::kInfo, "run", {{"calls", 0}, {"ms", 1.5}}, 0),
            "glovebox: run (calls=0 ms=1.5)\n");
  const auto read = boost::json::parse(
      log_line(Log::Format::kJson, Level::kDebug, "run", {{"calls", std::size_t{3}}, {"ms", 1.5}, {"run", "7"}}, 0));
  EXPECT_EQ(read.at("calls").to_number<int>(), 3);
  EXPECT_EQ(read.at("ms").to_number<double>(), 1.5);
  EXPECT_EQ(read.at("run").as_string(), "7");
  EXPECT_GT(resident_megabytes(), 0);
}

// Texts of servers and of code are logged through this.
TEST(Log, NothingInItMovesACursorOrEndsALine) {
  const std::string hostile =
      "a\x1b[2J\r\nglovebox: forged\x7f\xc2\x9b"
      "31m\xe2\x80\xae\xff\xc0\xaf\xed\xa0\x80 z";
  for (const Log::Format format : {Log::Format::kText, Log::Format::kJson}) {
    const std::string line = log_line(format, Level::kInfo, hostile, {{"run", hostile}}, 0);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    for (const char* bad : {"\x1b", "\r", "\x7f", "\xc2\x9b", "\xe2\x80\xae", "\xff", "\xc0", "\xed\xa0"})
      EXPECT_EQ(line.find(bad), std::string::npos) << bad;
  }
  const auto read = boost::json::parse(log_line(Log::Format::kJson, Level::kInfo, hostile, {{"run", hostile}}, 0));
  EXPECT_TRUE(read.at("message").as_string().starts_with("a [2J  glovebox: forged"));
}

TEST(Log, LevelsBelowAreNotSaid) {
  std::string said;
  Log log(Log::Format::kText, Level::kWarn, [&](std::string_view line) { said += line; });
  log.say(Level::kInfo, "one");
  log.say(Level::kWarn, "two");
  log.say(Level::kError, "three");
  EXPECT_EQ(said, "glovebox: warning: two\nglovebox: error: three\n");
  EXPECT_EQ(level_named("debug"), Level::kDebug);
  EXPECT_EQ(level_named("loud"), std::nullopt);
}

}  // namespace
}  // namespace glovebox::observe
