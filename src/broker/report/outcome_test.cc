// The ExecutionResult document, member by member as design.md specifies it.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "base/engine/engine_version.h"
#include "glovebox/sandbox.h"

namespace glovebox {
namespace {

namespace json = boost::json;

Outcome finished(std::string result) {
  Outcome outcome;
  outcome.ending = Finished{std::move(result)};
  return outcome;
}

RunError sample_error() {
  return {ErrorType::kRuntimeError, "RUNTIME_ERROR", "no \"luck\"", "Error: no\n    at agent.ts:1:2", {}};
}

TEST(OutcomeJson, IsExactlyTheDocumented) {
  Outcome outcome = finished(R"({"a":1})");
  outcome.logs = {{LogLevel::kLog, "one"}, {LogLevel::kError, "two \"2\""}};
  outcome.metrics = {.startup_ms = 1.25,
                     .execution_ms = 12.5,
                     .cpu_ms = 3,
                     .memory_used_mb = 0.125,
                     .result_bytes = 7,
                     .log_bytes = 10,
                     .logs_truncated = true,
                     .pooled = true,
                     .calls = 2,
                     .calls_denied = 1,
                     .tool_calls = 1,
                     .tool_result_bytes = 5,
                     .seed = "s",
                     .now_ms = 1700000000000};
  outcome.trace = {{"fs.read", "/a", TraceEntry::Outcome::kOk, "", 0.5, 12},
                   {"fs.read", "/b", TraceEntry::Outcome::kDenied, "Requires read access to \"/b\"", 0.25, 0},
                   {"tool", "a.b", TraceEntry::Outcome::kOk, "", 1, 5, R"({"x":"y"})"}};
  EXPECT_EQ(
      to_json(outcome),
      R"({"result":{"a":1},"logs":["one","two \"2\""],"metrics":{"executionTimeMs":12.5,"startupTimeMs":1.25,)"
      R"("cpuTimeMs":3,"memoryUsedMB":0.125,"resultBytes":7,"logBytes":10,"logsTruncated":true,"pooled":true,)"
      R"("cached":false,)"
      R"("calls":2,"callsDenied":1,"toolCalls":1,"toolResultBytes":5,"engine":")" +
          std::string(base::engine_name()) +
          R"(","seed":"s","now":1700000000000},"trace":[)"
          R"({"op":"fs.read","target":"/a","outcome":"ok","durationMs":0.5,"bytes":12},)"
          R"({"op":"fs.read","target":"/b","outcome":"denied","error":"Requires read access to \"/b\"",)"
          R"("durationMs":0.25,"bytes":0},{"op":"tool","target":"a.b","arguments":"{\"x\":\"y\"}","outcome":"ok",)"
          R"("durationMs":1,"bytes":5}]})");
}

TEST(OutcomeJson, HasAnErrorOnlyWhenThereIsOne) {
  EXPECT_FALSE(json::parse(to_json(finished("1"))).as_object().contains("error"));
  Outcome outcome;
  outcome.ending = Failed{sample_error()};
  const json::object document = json::parse(to_json(outcome)).as_object();
  EXPECT_TRUE(document.at("result").is_null());
  EXPECT_EQ(document.at("error"), json::parse(R"({"type":"RuntimeError","code":"RUNTIME_ERROR","message":"no \"luck\"",
                                                  "stack":"Error: no\n    at agent.ts:1:2"})"));
}

TEST(OutcomeJson, NamesTheToolThatIsToBlame) {
  Outcome outcome;
  RunError error = sample_error();
  error.tool_name = "a.b";
  outcome.ending = Failed{std::move(error)};
  EXPECT_EQ(json::parse(to_json(outcome)).at_pointer("/error/toolName"), "a.b");
}

TEST(OutcomeJson, LeavesOutAnEmptyStack) {
  Outcome outcome;
  RunError error = sample_error();
  error.stack.clear();
  outcome.ending = Denied{error};
  EXPECT_FALSE(json::parse(to_json(outcome)).at("error").as_object().contains("stack"));
}

TEST(OutcomeJson, NamesDegradedLayers) {
  Outcome outcome = finished("1");
  EXPECT_FALSE(json::parse(to_json(outcome)).as_object().contains("degraded"));
  outcome.degraded = {"landlock", "namespaces"};
  EXPECT_EQ(json::parse(to_json(outcome)).at("degraded"), (json::array{"landlock", "namespaces"}));
}

TEST(OutcomeJson, IsOneLine) {
  Outcome outcome = finished(R"("a\nb")");
  outcome.logs = {{LogLevel::kLog, "two\nlines"}};
  EXPECT_EQ(to_json(outcome).find('\n'), std::string::npos);
}

TEST(Outcome, TellsItsErrorWhateverTheEnding) {
  EXPECT_EQ(finished("1").error(), nullptr);
  EXPECT_TRUE(finished("1").ok());
  EXPECT_EQ(finished("1").result_json(), "1");
  for (const Ending& ending : {Ending(Failed{sample_error()}), Ending(Denied{sample_error()}),
                               Ending(LimitHit{sample_error()}), Ending(Crashed{sample_error()})}) {
    Outcome outcome;
    outcome.ending = ending;
    EXPECT_FALSE(outcome.ok());
    ASSERT_NE(outcome.error(), nullptr);
    EXPECT_EQ(outcome.error()->code.text(), "RUNTIME_ERROR");
  }
}

TEST(ErrorType, HasTheDocumentedNames) {
  EXPECT_EQ(name_of(ErrorType::kSyntaxError), "SyntaxError");
  EXPECT_EQ(name_of(ErrorType::kRuntimeError), "RuntimeError");
  EXPECT_EQ(name_of(ErrorType::kTimeoutError), "TimeoutError");
  EXPECT_EQ(name_of(ErrorType::kMemoryError), "MemoryError");
  EXPECT_EQ(name_of(ErrorType::kPermissionError), "PermissionError");
  EXPECT_EQ(name_of(ErrorType::kToolError), "ToolError");
  EXPECT_EQ(name_of(ErrorType::kLimitError), "LimitError");
  EXPECT_EQ(name_of(ErrorType::kSandboxError), "SandboxError");
}

}  // namespace
}  // namespace glovebox
