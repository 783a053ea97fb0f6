#include "terminal/error_view.h"

#include <gtest/gtest.h>

namespace glovebox::cli {
namespace {

RunError error_at(int line, int column, std::string stack = "") {
  return {ErrorType::kRuntimeError, "RUNTIME_ERROR", "it broke", std::move(stack), SourcePosition{line, column}};
}

TEST(ErrorView, IsOneLineWithoutAPosition) {
  const RunError error{ErrorType::kTimeoutError, "EXECUTION_TIMEOUT", "too slow", "", {}};
  EXPECT_EQ(describe_error(error, "code", "a.ts"), "error: too slow [EXECUTION_TIMEOUT]\n");
}

TEST(ErrorView, ShowsTheLineAndACaret) {
  EXPECT_EQ(describe_error(error_at(2, 7), "const a = 1\nthrow new Error('x')\n", "a.ts"),
            "error: it broke [RUNTIME_ERROR]\n"
            "  --> a.ts:2:7\n"
            "  |\n"
            "2 | throw new Error('x')\n"
            "  |       ^\n");
}

TEST(ErrorView, AlignsLongLineNumbers) {
  std::string code(99, '\n');
  EXPECT_EQ(describe_error(error_at(100, 1), code + "boom()", "a.ts"),
            "error: it broke [RUNTIME_ERROR]\n"
            "    --> a.ts:100:1\n"
            "    |\n"
            "100 | boom()\n"
            "    | ^\n");
}

std::string caret_line(const RunError& error, const std::string& code) {
  const std::string text = describe_error(error, code, "a.ts");
  const std::size_t last = text.rfind('\n', text.size() - 2);
  return text.substr(last + 1);
}

TEST(ErrorView, KeepsTabsSoThatTheCaretStandsRight) {
  EXPECT_EQ(caret_line(error_at(1, 3), "\t\tboom()"), "  | \t\t^\n");
}

TEST(ErrorView, CountsCharactersNotBytes) {
  EXPECT_EQ(caret_line(error_at(1, 9), "/* é漢 */ boom()"), "  |         ^\n");
}

// V8 counts columns in UTF-16 units, of which an emoji has two; it is two places wide as well.
TEST(ErrorView, CountsAnEmojiAsTwo) {
  EXPECT_EQ(caret_line(error_at(1, 7), "'\xf0\x9f\x98\x80', boom()"), "  |       ^\n");
}

TEST(ErrorView, StopsAtTheEndOfALine) {
  EXPECT_EQ(caret_line(error_at(1, 50), "abc"), "  |    ^\n");
}

TEST(ErrorView, KnowsAllLineEnds) {
  EXPECT_NE(describe_error(error_at(2, 1), "one\r\ntwo\r\n", "a.ts").find("2 | two\n"), std::string::npos);
}

TEST(ErrorView, LeavesOutALineThatIsNotThereOrTooLong) {
  EXPECT_EQ(describe_error(error_at(9, 1), "one", "a.ts"), "error: it broke [RUNTIME_ERROR]\n  --> a.ts:9:1\n");
  EXPECT_EQ(describe_error(error_at(1, 1), std::string(5000, 'x'), "a.ts"),
            "error: it broke [RUNTIME_ERROR]\n  --> a.ts:1:1\n");
}

TEST(ErrorView, ListsTheOuterFrames) {
  const std::string stack = "Error: it broke\n    at inner (a.ts:1:1)\n    at outer (a.ts:2:2)\n    at a.ts:3:3";
  const std::string text = describe_error(error_at(1, 1, stack), "x", "a.ts");
  EXPECT_TRUE(text.ends_with("    at outer (a.ts:2:2)\n    at a.ts:3:3\n")) << text;
  EXPECT_EQ(text.find("at inner"), std::string::npos) << "its place is shown above";
}

// The code is the agent's, and a terminal shows it.
TEST(ErrorView, NeutralisesTheLineOfCode) {
  const std::string text = describe_error(error_at(1, 20), "boom('\x1b[31m\xe2\x80\xae'), boom()", "a.ts");
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\xe2\x80\xae"), std::string::npos);
  EXPECT_NE(text.find("1 | boom('\\u{1b}[31m\\u{202e}'), boom()\n"), std::string::npos) << text;
}

TEST(ErrorView, PutsTheCaretBehindWhatItNeutralised) {
  // The escape character takes six places when it is shown.
  EXPECT_EQ(caret_line(error_at(1, 2),
                       "\x1b"
                       "boom()"),
            "  |       ^\n");
}

}  // namespace
}  // namespace glovebox::cli
