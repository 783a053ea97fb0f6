// Code that is checked before it runs, or while it does.
#include "gateway/gateway_fixture.h"

namespace glovebox::gateway {
namespace {

// ---- the check before a run

Diagnostic wrong_argument() {
  Diagnostic diagnostic;
  diagnostic.about = Diagnostic::About::kTools;
  diagnostic.code = "TS2561";
  diagnostic.message = "'pth' does not exist. Did you mean to write 'path'?";
  diagnostic.position = {1, 19};
  diagnostic.end = {1, 22};
  diagnostic.source_line = "return mcp.a.b({ pth: 1 })";
  diagnostic.caret = "                 ^^^";
  diagnostic.suggestion = "path";
  return diagnostic;
}

TEST_F(GatewayTest, StopsWrongCodeBeforeAnyCall) {
  options_.check = answers_check({{wrong_argument()}, "", 2});
  const json::value result = result_of(execute("return await mcp.notes.add({ pth: 1 })"));
  const json::value& error = result.at("error");
  EXPECT_EQ(error.at("type"), "TypeError");
  EXPECT_EQ(error.at("code"), "TYPE_CHECK_FAILED");
  EXPECT_EQ(error.at("line"), 1);
  EXPECT_EQ(error.at("column"), 19);
  EXPECT_EQ(error.at("caret"), "                 ^^^");
  EXPECT_EQ(error.at("suggestion"), "path");
  EXPECT_EQ(result.at("diagnostics").as_array().size(), 1u);
  EXPECT_EQ(result.at("diagnostics").at(0).at("severity"), "error");
  EXPECT_EQ(result.at("metrics").at("checkTimeMs"), 2);
  EXPECT_TRUE(tools_.made.empty());
  EXPECT_EQ(audit("run.checked").size(), 1u);
}

TEST_F(GatewayTest, TellsWarningsWithTheResult) {
  Diagnostic own = wrong_argument();
  own.about = Diagnostic::About::kCode;
  options_.check = answers_check({{own}, "", 2});
  const json::value result = result_of(execute("return 7"));
  EXPECT_EQ(result.at("result"), 7);
  EXPECT_EQ(result.at("diagnostics").at(0).at("severity"), "warning");
}

TEST_F(GatewayTest, RunsWhatCouldNotBeChecked) {
  options_.check = answers_check({{}, "the type checker took too long", 3000});
  const json::value result = result_of(execute("return 7"));
  EXPECT_EQ(result.at("result"), 7);
  EXPECT_EQ(result.at("diagnostics").at(0).at("code"), "CHECK_UNAVAILABLE");
}

TEST_F(GatewayTest, CanBeCancelledWhileItIsChecked) {
  std::function<void(CodeReport)> answer_check;
  options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
  const std::string run = execute("return await mcp.notes.add({})");
  gateway().cancel_run(run);
  EXPECT_EQ(result_of(run).at("error").at("code"), "CANCELLED");
  answer_check({});
  turn(std::chrono::milliseconds(20));
  EXPECT_TRUE(tools_.made.empty());
}

// The guest runs meanwhile: its output and calls wait for the verdict.
TEST_F(GatewayTest, RunsBesideItsCheckAndTouchesNothing) {
  permit({.allow = {"fs"}});
  std::function<void(CodeReport)> answer_check;
  options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
  const std::string run = execute("console.log('early'); return await mcp.fs.read({})");
  turn(std::chrono::milliseconds(200));
  EXPECT_TRUE(tools_.made.empty());
  EXPECT_TRUE(logs_.empty());
  EXPECT_FALSE(ends_.contains(run));
  answer_check({});
  EXPECT_TRUE(result_of(run).as_object().contains("result"));
  EXPECT_EQ(tools_.made.size(), 1u);
  EXPECT_EQ(logs_, std::vector<std::string>{"early"});
}

// A held guest takes up a slot that others may need: it is given back, and the code runs after the verdict.
TEST_F(GatewayTest, BeginsAnewWhereTheCheckTakesLong) {
  permit({.allow = {"fs"}});
  std::function<void(CodeReport)> answer_check;
  options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
  const std::string run = execute("console.log('early'); return await mcp.fs.read({})");
  run_until([&] { return runner_.ended == 1; });
  EXPECT_TRUE(logs_.empty());
  EXPECT_FALSE(ends_.contains(run));
  EXPECT_EQ(runner_.runs, 1);
  answer_check({});
  EXPECT_TRUE(result_of(run).as_object().contains("result"));
  EXPECT_EQ(runner_.runs, 2) << "the first was given back";
  EXPECT_EQ(tools_.made.size(), 1u);
  EXPECT_EQ(logs_, std::vector<std::string>{"early"});
}

TEST_F(GatewayTest, ForgetsWhatAGuestDidWhoseCodeIsRefused) {
  permit({.allow = {"fs"}});
  for (const char* code : {"console.log('early'); return await mcp.fs.read({})", "console.log('early'); return 7",
                           "console.log('early'); throw new Error('mine')", "while (true) {}"}) {
    std::function<void(CodeReport)> answer_check;
    options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
    gateway_.reset();
    const std::string run = execute(code);
    turn(std::chrono::milliseconds(100));
    answer_check({{wrong_argument()}, "", 2});
    const json::value result = result_of(run);
    turn(std::chrono::milliseconds(50));
    EXPECT_EQ(result.at("error").at("code"), "TYPE_CHECK_FAILED") << code;
    EXPECT_EQ(result.at("metrics").at("executionTimeMs"), 0) << code;
    EXPECT_TRUE(result.at("logs").as_array().empty()) << code;
    EXPECT_TRUE(tools_.made.empty()) << code;
    EXPECT_TRUE(logs_.empty()) << code;
    EXPECT_TRUE(audit("call.begun").empty());
    const std::string spans = store_->find_trace(run).value().value_or("");
    EXPECT_EQ(spans.find("execution"), std::string::npos) << spans;
  }
}

// Code that attacks its guest is recorded even if it would be refused anyway.
TEST_F(GatewayTest, NotesHowAGuestBrokeWhoseCodeIsRefused) {
  for (const FailureCode how :
       {FailureCode("FORBIDDEN_SYSTEM_CALL"), FailureCode("GUEST_CRASHED"), FailureCode("RUNTIME_ERROR")}) {
    std::function<void(CodeReport)> answer_check;
    options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
    gateway_.reset();
    options_.times.hold_most = std::chrono::minutes(1);
    runner_.breaks = RunError{.code = how, .message = "it broke"};
    const std::string run = execute("return 1");
    run_until([&] { return runner_.ended == runner_.runs; });
    turn(std::chrono::milliseconds(1));
    answer_check({{wrong_argument()}, "", 2});
    EXPECT_EQ(result_of(run).at("error").at("code"), "TYPE_CHECK_FAILED") << how.name();
    const auto stopped = audit("run.stopped");
    if (how == "RUNTIME_ERROR") {
      EXPECT_EQ(stopped.size(), 2u) << "a program's own mistake is none";
      continue;
    }
    ASSERT_FALSE(stopped.empty()) << how.name();
    EXPECT_EQ(stopped.back().at("code").as_string(), how.text());
    EXPECT_EQ(stopped.back().at("run").as_string(), run);
  }
}

TEST_F(GatewayTest, EndsByItsLimitOnlyAfterTheVerdict) {
  std::function<void(CodeReport)> answer_check;
  options_.check = [&](const CodeToCheck&, auto done) { answer_check = done; };
  ExecuteRequest request;
  request.config.cpu = std::chrono::milliseconds(50);
  const std::string run = execute("while (true) {}", request);
  turn(std::chrono::milliseconds(300));
  EXPECT_FALSE(ends_.contains(run));
  answer_check({});
  EXPECT_EQ(result_of(run).at("error").at("code"), "CPU_LIMIT");
}

// It would not be checked again, so it is not resumed.
TEST_F(GatewayTest, KeepsNoRunWhoseCodeIsNotChecked) {
  options_.check = [](const CodeToCheck&, auto) {};
  const std::string run = execute("return await mcp.fs.read({})");
  turn(std::chrono::milliseconds(20));
  gateway().drain();
  gateway().park();
  EXPECT_EQ(result_of(run).at("error").at("code"), "NOT_BEGUN");
}

TEST_F(GatewayTest, EndsRunsThatAreBeingCheckedWhenItCloses) {
  options_.check = [](const CodeToCheck&, auto) {};
  const std::string run = execute("return 1");
  gateway().close();
  EXPECT_EQ(result_of(run).at("error").at("code"), "NOT_BEGUN");
}

}  // namespace
}  // namespace glovebox::gateway
