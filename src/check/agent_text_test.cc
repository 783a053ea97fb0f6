#include "check/agent_text.h"

#include <gtest/gtest.h>

namespace glovebox::check {
namespace {

TEST(AgentText, BeginsOnTheSecondLineOfBothForms) {
  const AgentText text("return 1 // end");
  for (const AgentForm form : {AgentForm::kBody, AgentForm::kExpression}) {
    const std::string whole = text.in_form(form);
    const std::size_t line = whole.find('\n') + 1;
    EXPECT_EQ(whole.substr(line, 16), "return 1 // end\n");
  }
}

TEST(AgentText, IgnoresWhatTheEngineIgnores) {
  EXPECT_NE(AgentText("\xef\xbb\xbfreturn 1").in_form(AgentForm::kBody).find("\n return 1\n"), std::string::npos);
  EXPECT_NE(AgentText("#!/bin/x\n1").in_form(AgentForm::kBody).find("\n///bin/x\n1\n"), std::string::npos);
}

TEST(AgentText, MovesPositionsIntoTheCode) {
  const AgentText text("ab\r\ncü🙂d\re");
  const auto at = [&](long line, long column) {
    const SourcePosition position = text.position(line, column);
    return std::to_string(position.line) + ":" + std::to_string(position.column);
  };
  EXPECT_EQ(at(1, 0), "1:1");
  EXPECT_EQ(at(1, 99), "1:3");  // beyond the line
  EXPECT_EQ(at(2, 4), "2:5");   // the emoji is two units
  EXPECT_EQ(at(3, 0), "3:1");
  EXPECT_EQ(at(0, 7), "1:1");  // in the line before the code
  EXPECT_EQ(at(4, 0), "3:2");  // and after it
  EXPECT_EQ(at(-5, -5), "1:1");
  EXPECT_EQ(at(1, -5), "1:1");
}

TEST(AgentText, MarksThePlace) {
  const AgentText text("\tcall(ü, 🙂, x)");
  const auto excerpt = text.excerpt({1, 13}, {1, 14});
  EXPECT_EQ(excerpt.line, "\tcall(ü, 🙂, x)");
  EXPECT_EQ(excerpt.caret, "\t           ^");
  EXPECT_EQ(text.excerpt({1, 2}, {1, 6}).caret, "\t^^^^");
  EXPECT_EQ(text.excerpt({1, 99}, {1, 99}).caret.back(), '^');
  EXPECT_EQ(text.excerpt({1, 2}, {1, 2}).caret, "\t^");
}

TEST(AgentText, ShowsPartOfALongLine) {
  const AgentText text(std::string(1000, 'a') + "ü!" + std::string(1000, 'b'));
  const auto excerpt = text.excerpt({1, 1002}, {1, 1003});
  EXPECT_LT(excerpt.line.size(), 200u);
  const std::size_t mark = excerpt.caret.find('^');
  ASSERT_NE(mark, std::string::npos);
  EXPECT_TRUE(excerpt.line.starts_with("…"));
  EXPECT_TRUE(excerpt.line.ends_with("…"));
  // The caret counts characters, the line bytes: … has three and ü two.
  EXPECT_EQ(excerpt.line[mark + 2 + 1], '!');
}

TEST(AgentText, ShowsNothingThatATerminalObeys) {
  const AgentText text("x\x1b[31m\xe2\x80\xae y");
  const auto excerpt = text.excerpt({1, 8}, {1, 9});
  EXPECT_EQ(excerpt.line.find('\x1b'), std::string::npos);
  EXPECT_EQ(excerpt.line.find("\xe2\x80\xae"), std::string::npos);
}

TEST(AgentText, TakesAnEmptyProgram) {
  const AgentText text("");
  EXPECT_EQ(text.position(5, 5).line, 1);
  EXPECT_EQ(text.excerpt({1, 1}, {1, 1}).caret, "^");
}

}  // namespace
}  // namespace glovebox::check
