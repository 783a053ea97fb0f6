#include "terminal/quantities.h"

#include <gtest/gtest.h>

namespace glovebox::cli {
namespace {

using std::chrono::milliseconds;

TEST(ParseDuration, ReadsWhatPeopleType) {
  EXPECT_EQ(parse_duration("500ms").value(), milliseconds(500));
  EXPECT_EQ(parse_duration("30s").value(), milliseconds(30'000));
  EXPECT_EQ(parse_duration("5m").value(), milliseconds(300'000));
  EXPECT_EQ(parse_duration("1h").value(), milliseconds(3'600'000));
  EXPECT_EQ(parse_duration("1.5s").value(), milliseconds(1500));
  EXPECT_EQ(parse_duration("0.25s").value(), milliseconds(250));
}

TEST(ParseDuration, RefusesTheRestWithExamples) {
  for (const char* text :
       {"",   "s",    "-1s",   "0",   "0s",  "5",   "250", "0.4ms", "1 s",  "1sec", "1d",     "5M",
        "ms", "1e3s", "0x10s", "inf", "nan", "1s ", " 1s", "1,5s",  "1.s5", "..5s", "1.2.3s", "99999999999999999h",
        "ten"}) {
    const auto parsed = parse_duration(text);
    ASSERT_FALSE(parsed.ok()) << text << " was read as " << parsed.value().count();
    EXPECT_EQ(parsed.failure().code, ErrorCode::kInvalidArgument);
    EXPECT_EQ(parsed.failure().message,
              "the duration \"" + std::string(text) + "\" is not understood; write it like 500ms, 30s or 5m");
  }
}

TEST(ParseSize, ReadsWhatPeopleType) {
  EXPECT_EQ(parse_size("64MB").value(), std::size_t{64} << 20);
  EXPECT_EQ(parse_size("512KB").value(), std::size_t{512} << 10);
  EXPECT_EQ(parse_size("1GB").value(), std::size_t{1} << 30);
  EXPECT_EQ(parse_size("64M").value(), std::size_t{64} << 20);
  EXPECT_EQ(parse_size("2K").value(), 2048u);
  EXPECT_EQ(parse_size("1G").value(), std::size_t{1} << 30);
  EXPECT_EQ(parse_size("1MiB").value(), std::size_t{1} << 20);
  EXPECT_EQ(parse_size("1KiB").value(), 1024u);
  EXPECT_EQ(parse_size("1GiB").value(), std::size_t{1} << 30);
  EXPECT_EQ(parse_size("100B").value(), 100u);
  EXPECT_EQ(parse_size("100").value(), 100u);
  EXPECT_EQ(parse_size("1.5MB").value(), 1572864u);
}

TEST(ParseSize, RefusesTheRestWithExamples) {
  for (const char* text :
       {"", "MB", "-1MB", "0", "0MB", "64 MB", "64Mb", "64TB", "1e9", "0x40MB", "64MB!", "inf", "99999999999GB"}) {
    const auto parsed = parse_size(text);
    ASSERT_FALSE(parsed.ok()) << text << " was read as " << parsed.value();
    EXPECT_EQ(parsed.failure().message,
              "the size \"" + std::string(text) + "\" is not understood; write it like 64MB, 512KB or 1GB");
  }
}

TEST(ParseInstant, ReadsMillisecondsAndIso8601) {
  EXPECT_EQ(parse_instant("0").value(), 0);
  EXPECT_EQ(parse_instant("1769860800000").value(), 1769860800000);
  EXPECT_EQ(parse_instant("2026-01-31T12:00:00Z").value(), 1769860800000);
  EXPECT_EQ(parse_instant("2026-01-31T12:00Z").value(), 1769860800000);
  EXPECT_EQ(parse_instant("2026-01-31").value(), 1769817600000);
  EXPECT_EQ(parse_instant("1970-01-01T00:00:00Z").value(), 0);
  EXPECT_EQ(parse_instant("1969-12-31T23:59:59Z").value(), -1000);
  EXPECT_EQ(parse_instant("2024-02-29").value(), 1709164800000) << "a leap day";
}

// What Date.prototype.toISOString writes.
TEST(ParseInstant, ReadsMillisecondsBehindThePoint) {
  EXPECT_EQ(parse_instant("2026-01-31T12:00:00.123Z").value(), 1769860800123);
  EXPECT_EQ(parse_instant("2026-01-31T12:00:00.007Z").value(), 1769860800007);
}

TEST(ParseInstant, RefusesTheRestWithExamples) {
  for (const char* text : {"",
                           "now",
                           "-1",
                           "2026-1",
                           "2026-13-01",
                           "2026-02-30",
                           "2025-02-29",
                           "2026-01-31T25:00:00Z",
                           "2026-01-31T12:00:00",
                           "2026-01-31T12:00:00+01:00",
                           "2026-01-31 12:00:00",
                           "2026-01-31T12:00:00.Z",
                           "2026-01-31T12:00:00.12Z",
                           "2026-01-31T12:00:00.abcZ",
                           "2026-01-31T12:00:00.-12Z",
                           "26-01-31",
                           "99999999999999999999",
                           "8640000000000001",
                           "1.5",
                           "0x10",
                           "2026-01-31T12:00:00Zx"}) {
    const auto parsed = parse_instant(text);
    ASSERT_FALSE(parsed.ok()) << text << " was read as " << parsed.value();
    EXPECT_NE(parsed.failure().message.find("is not understood; write it like 2026-01-31T12:00:00Z"),
              std::string::npos);
  }
}

}  // namespace
}  // namespace glovebox::cli
