#include "base/text/log_text.h"

#include <gtest/gtest.h>

#include "base/text/utf8.h"

namespace glovebox::base {
namespace {

using namespace std::string_literals;

std::string utf8_of(unsigned code_point) {
  std::string out;
  if (code_point < 0x80) return out += static_cast<char>(code_point);
  if (code_point < 0x800) {
    out += static_cast<char>(0xc0 | code_point >> 6);
  } else {
    if (code_point < 0x10000) {
      out += static_cast<char>(0xe0 | code_point >> 12);
    } else {
      out += static_cast<char>(0xf0 | code_point >> 18);
      out += static_cast<char>(0x80 | (code_point >> 12 & 0x3f));
    }
    out += static_cast<char>(0x80 | (code_point >> 6 & 0x3f));
  }
  return out += static_cast<char>(0x80 | (code_point & 0x3f));
}

TEST(Neutralise, LeavesOrdinaryTextAlone) {
  for (const std::string& text :
       {""s, "hello"s, "a\tb\nc"s, "é ß 漢字 \xf0\x9f\x98\x80 \xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d"s}) {
    EXPECT_EQ(neutralise(text), text);
  }
}

TEST(Neutralise, ShowsEscapeSequences) {
  EXPECT_EQ(neutralise("\x1b[31mred\x1b[0m"), "\\u{1b}[31mred\\u{1b}[0m");
  EXPECT_EQ(neutralise("\x1b]52;c;ZXZpbA==\x07"), "\\u{1b}]52;c;ZXZpbA==\\u{7}");
}

TEST(Neutralise, ShowsWhatMovesTheCursor) {
  EXPECT_EQ(neutralise("a\rb"), "a\\u{d}b") << "a line that overwrites another";
  EXPECT_EQ(neutralise("a\bb\x7f"), "a\\u{8}b\\u{7f}");
  EXPECT_EQ(neutralise("a\0b"s), "a\\u{0}b");
}

TEST(Neutralise, ShowsTheControlsOfEightBitTerminals) {
  EXPECT_EQ(neutralise("\xc2\x9b"
                       "31m"),
            "\\u{9b}31m");
  EXPECT_EQ(neutralise("\xc2\x80"), "\\u{80}");
  EXPECT_EQ(neutralise("\xc2\xa0"), "\xc2\xa0") << "a space that does not break is harmless";
}

// Names and links on a disk may be any bytes. One that seems to begin a longer character does not hide the next ones.
TEST(Neutralise, ShowsEscapeSequencesBehindBytesThatAreNotUtf8) {
  for (const std::string& before : {"\xc3"s, "\xe2"s, "\xe2\x80"s, "\xf0\x9f"s, "\xff"s, "\x80"s, "\xed\xa0\x80"s}) {
    const std::string out = neutralise(before + "\x1b]0;title" + before + "\x07" + before);
    EXPECT_TRUE(is_utf8(out)) << out;
    EXPECT_EQ(out.find('\x1b'), out.npos);
    EXPECT_EQ(out.find('\x07'), out.npos);
    EXPECT_NE(out.find("\\u{1b}]0;title"), out.npos) << out;
  }
  EXPECT_EQ(neutralise("a\xe2\x1b[b"), "a\xef\xbf\xbd\\u{1b}[b");
}

// What is in a text without being seen: nothing may hide in an approval request, a list or a log.
TEST(Neutralise, ShowsWhatIsNotSeen) {
  for (const unsigned unseen : {0xadu, 0x200bu, 0x200du, 0x2060u, 0xfe0fu, 0xfeffu, 0xfff9u, 0xe0041u, 0xe0100u}) {
    char shown[16];
    std::snprintf(shown, sizeof shown, "\\u{%x}", unseen);
    EXPECT_EQ(neutralise(utf8_of(unseen)), shown);
  }
  EXPECT_EQ(neutralise_json("\"" + utf8_of(0xe0041) + "\""), "\"\\udb40\\udc41\"");
  EXPECT_EQ(neutralise_json("\"" + utf8_of(0x200b) + "\""), "\"\\u200b\"");
}

TEST(Neutralise, ShowsWhatTurnsTextAround) {
  for (const unsigned mark :
       {0x061cu, 0x200eu, 0x200fu, 0x202au, 0x202bu, 0x202cu, 0x202du, 0x202eu, 0x2066u, 0x2067u, 0x2068u, 0x2069u}) {
    char shown[16];
    std::snprintf(shown, sizeof shown, "\\u{%x}", mark);
    EXPECT_EQ(neutralise(utf8_of(mark)), shown);
  }
}

TEST(Neutralise, ShowsLineSeparatorsThatFakeALine) {
  EXPECT_EQ(neutralise(utf8_of(0x2028) + utf8_of(0x2029)), "\\u{2028}\\u{2029}");
}

TEST(NeutraliseJson, KeepsTheSameJson) {
  EXPECT_EQ(neutralise_json("{\n  \"a\": \"\xc2\x9b"
                            "2J\xe2\x80\xae\"\n}"),
            "{\n  \"a\": \"\\u009b2J\\u202e\"\n}");
  EXPECT_EQ(neutralise_json(R"({"b":"é\u001b"})"), R"({"b":"é\u001b"})");
}

// Every code point: what comes out is valid, and holds none of what a terminal obeys.
TEST(Neutralise, GivesValidAndHarmlessTextForEveryCharacter) {
  for (unsigned code_point = 0; code_point <= 0x10ffff; ++code_point) {
    if (code_point >= 0xd800 && code_point <= 0xdfff) continue;
    const std::string in = utf8_of(code_point);
    const std::string out = neutralise(in);
    ASSERT_TRUE(is_utf8(out)) << code_point;
    ASSERT_TRUE(out == in || (out.starts_with("\\u{") && out.ends_with('}'))) << code_point;
    ASSERT_EQ(neutralise(out), out) << "once is enough: " << code_point;
  }
}

}  // namespace
}  // namespace glovebox::base
