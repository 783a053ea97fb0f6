#include "gateway/runs/code_check.h"

#include <gtest/gtest.h>

namespace glovebox::gateway {
namespace {

using About = Diagnostic::About;
using Severity = Diagnostic::Severity;

Diagnostic finding(About about, int line) {
  Diagnostic diagnostic;
  diagnostic.about = about;
  diagnostic.code = "TS2561";
  diagnostic.message = "'pth' does not exist. Did you mean 'path'?";
  diagnostic.position = {line, 3};
  diagnostic.source_line = "f({ pth })";
  diagnostic.caret = "    ^^^";
  return diagnostic;
}

TEST(CodeCheck, StopsWhatItsModeSays) {
  const struct {
    CheckMode mode;
    std::vector<About> about;
    bool stops;
  } cases[] = {
      {CheckMode::kOff, {About::kTools}, false},
      {CheckMode::kWarn, {About::kTools, About::kCode}, false},
      {CheckMode::kTools, {}, false},
      {CheckMode::kTools, {About::kCode}, false},
      {CheckMode::kTools, {About::kCode, About::kTools}, true},
      {CheckMode::kStrict, {}, false},
      {CheckMode::kStrict, {About::kCode}, true},
  };
  for (const auto& item : cases) {
    CodeReport report;
    for (const About about : item.about) report.diagnostics.push_back(finding(about, 1));
    const CheckVerdict verdict = judge_code(item.mode, report, "agent.ts");
    EXPECT_EQ(verdict.stop.has_value(), item.stops) << name_of(item.mode);
    EXPECT_EQ(verdict.diagnostics.size(), item.mode == CheckMode::kOff ? 0 : item.about.size());
  }
}

TEST(CodeCheck, TellsWhichOfThemStoppedIt) {
  const CheckVerdict verdict =
      judge_code(CheckMode::kTools, {{finding(About::kCode, 1), finding(About::kTools, 2)}, "", 1}, "agent.ts");
  EXPECT_EQ(verdict.diagnostics[0].severity, Severity::kWarning);
  EXPECT_EQ(verdict.diagnostics[1].severity, Severity::kError);
  const RunError& error = std::get<Failed>(*verdict.stop).error;
  EXPECT_EQ(error.type, ErrorType::kTypeError);
  EXPECT_EQ(error.code.text(), "TYPE_CHECK_FAILED");
  EXPECT_EQ(error.message,
            "The check before the run found a mistake. Nothing was executed.\n\n"
            "agent.ts:2:3 - 'pth' does not exist. Did you mean 'path'? [TS2561]\n  f({ pth })\n      ^^^");
}

TEST(CodeCheck, TellsSeveralAtOnce) {
  CodeReport report;
  for (int line = 1; line <= 12; ++line) report.diagnostics.push_back(finding(About::kTools, line));
  const CheckVerdict verdict = judge_code(CheckMode::kTools, report, "agent.ts");
  const RunError& error = std::get<Failed>(*verdict.stop).error;
  EXPECT_NE(error.message.find("found 12 mistakes"), std::string::npos);
  EXPECT_NE(error.message.find("agent.ts:10:3"), std::string::npos);
  EXPECT_EQ(error.message.find("agent.ts:11:3"), std::string::npos);
  EXPECT_NE(error.message.find("and 2 more"), std::string::npos);
}

TEST(CodeCheck, GoesOnWhenItCouldNotBeMade) {
  const CheckVerdict verdict = judge_code(CheckMode::kTools, {{}, "the type checker ended", 3}, "agent.ts");
  EXPECT_FALSE(verdict.stop);
  ASSERT_EQ(verdict.diagnostics.size(), 1u);
  EXPECT_EQ(verdict.diagnostics[0].about, About::kCheck);
  EXPECT_EQ(verdict.diagnostics[0].code, "CHECK_UNAVAILABLE");
  EXPECT_EQ(verdict.diagnostics[0].message, "The code was not checked: the type checker ended");
}

TEST(CodeCheck, DoesNotGoOnWhenItMust) {
  const CheckVerdict verdict = judge_code(CheckMode::kStrict, {{}, "the type checker ended", 3}, "agent.ts");
  ASSERT_TRUE(verdict.stop);
  EXPECT_EQ(std::get<Crashed>(*verdict.stop).error.code.text(), "CHECK_UNAVAILABLE");
}

TEST(CodeCheck, DoesNotGoOnWithToolsThatNobodyKnowsWhenItMust) {
  const CodeReport report{{}, "", 1, {"slow"}};
  EXPECT_FALSE(judge_code(CheckMode::kTools, report, "agent.ts").stop);
  const CheckVerdict verdict = judge_code(CheckMode::kStrict, report, "agent.ts");
  ASSERT_TRUE(verdict.stop);
  const RunError& error = std::get<Crashed>(*verdict.stop).error;
  EXPECT_EQ(error.code.text(), "CHECK_UNAVAILABLE");
  EXPECT_NE(error.message.find("\"slow\" has not listed its tools"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace glovebox::gateway
