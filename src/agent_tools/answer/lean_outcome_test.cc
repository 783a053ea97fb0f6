#include "agent_tools/answer/lean_outcome.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace glovebox::agent_tools {
namespace {

namespace json = boost::json;

struct SaidOutcome {
  std::string json;
  std::string text;
  std::string rest;
};

SaidOutcome lean(const std::string& outcome, const std::string& code = "", const Budget& budget = {}) {
  LeanOutcome made = lean_outcome(
      "run_1", outcome, [&] { return code; }, budget);
  SaidOutcome said{made.json.done(), made.text, made.rest};
  // Whatever it is made of, both are JSON.
  EXPECT_NO_THROW((void)json::parse(said.json)) << said.json;
  EXPECT_NO_THROW((void)json::parse(said.rest)) << said.rest;
  if (made.result_at) {
    EXPECT_EQ(said.json.substr(*made.result_at, said.text.size()), said.text);
  }
  return said;
}

constexpr const char* kCalls = R"("trace":[
  {"op":"tool","target":"bank.pay","outcome":"ok"},{"op":"tool","target":"crm.get","outcome":"error"},
  {"op":"tool","target":"bank.pay","outcome":"unfinished"},{"op":"tool","target":"bank.close","outcome":"denied"},
  {"op":"fs.read","target":"./a","outcome":"ok"}])";

TEST(LeanOutcome, IsTheResultAlone) {
  const SaidOutcome made = lean(R"({"result":3600,"logs":[],"metrics":{"seed":"s"},)" + std::string(kCalls) + "}");
  EXPECT_EQ(made.json, R"({"run_id":"run_1","result":3600})");
  EXPECT_EQ(made.text, "3600");
  EXPECT_NE(made.rest.find("bank.pay"), std::string::npos);
  EXPECT_EQ(made.rest.find("3600"), std::string::npos);
}

TEST(LeanOutcome, HasLogs) {
  const SaidOutcome made = lean(R"({"result":{"a":1},"logs":["one","t\"wo"]})");
  EXPECT_EQ(made.json, R"({"run_id":"run_1","result":{"a":1},"logs":["one","t\"wo"]})");
  EXPECT_EQ(made.text, "{\"a\":1}\n\nlogs:\none\nt\"wo");
}

TEST(LeanOutcome, KeepsToItsBudget) {
  const Budget small{.bytes = 40, .as_client_sees = {}};
  const std::string outcome = R"({"result":"0123456789 0123456789 0123456789 0123456789",)"
                              R"("logs":["first line is long","bbbbbbbbbbbbbbbb","c","last line"]})";
  const SaidOutcome made = lean(outcome, "", small);
  const json::object parsed = json::parse(made.json).as_object();
  EXPECT_FALSE(parsed.contains("result"));
  EXPECT_EQ(parsed.at("shape"), "text of 43 bytes, 45 bytes");
  const json::array& logs = parsed.at("logs").as_array();
  ASSERT_EQ(logs.size(), 4u) << made.json;
  EXPECT_EQ(logs[0], "first line is long");
  EXPECT_TRUE(logs[1].as_string().starts_with(R"(… 1 line. Read more with get_run {"run_id":"run_1","path":"/logs",)"
                                              R"("offset":1})"))
      << logs[1];
  EXPECT_EQ(logs[3], "last line");
  EXPECT_EQ(made.rest, "{}");
}

TEST(LeanOutcome, SaysAnErrorOnceWithItsLineAndTheCallsThatWereMade) {
  const SaidOutcome made =
      lean(R"({"result":null,"logs":[],)" + std::string(kCalls) +
               R"(,"error":{"type":"RuntimeError","code":"RUNTIME_ERROR","message":"ReferenceError: x is not defined",)"
               R"("stack":"ReferenceError: x is not defined\n    at f (agent.ts:2:3)\n    at agent.ts:3:1"}})",
           "function f() {\n  x()\n}\nf()");
  EXPECT_EQ(made.text,
            "RuntimeError (RUNTIME_ERROR): ReferenceError: x is not defined\n"
            "at f (agent.ts:2:3)\n"
            "2 |   x()\n"
            "  |   ^\n"
            "  called at agent.ts:3:1\n"
            "Calls that had been made: bank.pay ×2, crm.get");
  const json::object error = json::parse(made.json).at("error").as_object();
  EXPECT_EQ(error.at("message"), "ReferenceError: x is not defined");
  EXPECT_EQ(error.at("where"), "at f (agent.ts:2:3)\n2 |   x()\n  |   ^\n  called at agent.ts:3:1");
  EXPECT_EQ(json::serialize(error.at("calls")), R"({"bank.pay":2,"crm.get":1})");
  EXPECT_FALSE(error.contains("stack"));
}

TEST(LeanOutcome, ACallThatWasNotSentIsNotAmongThoseMade) {
  const auto text = [](const std::string& code, const std::string& message) {
    return lean(R"({"result":null,"logs":[],)" + std::string(kCalls) + R"(,"error":{"type":"ToolError","code":")" +
                code + R"(","message":")" + message + R"(","toolName":"crm.get"}})")
        .text;
  };
  EXPECT_NE(text("TOOL_ERROR", "m").find("bank.pay ×2, crm.get"), std::string::npos);
  EXPECT_EQ(text("TOOL_NOT_FOUND", "m"), "ToolError (TOOL_NOT_FOUND): m\nCalls that had been made: bank.pay ×2");
  EXPECT_EQ(text("EXECUTION_TIMEOUT", "m; before that it called bank.pay once"),
            "ToolError (EXECUTION_TIMEOUT): m; before that it called bank.pay once");
}

// As a remote gateway may send it.
TEST(LeanOutcome, AnErrorWithoutACodeIsJsonToo) {
  EXPECT_EQ(lean(R"({"error":{"type":"T","message":"m"}})").json,
            R"({"run_id":"run_1","error":{"type":"T","code":null,"message":"m"}})");
}

TEST(LeanOutcome, LeavesAPythonTracebackItsLines) {
  const SaidOutcome made =
      lean(R"({"result":null,"logs":[],"error":{"type":"RuntimeError","code":"RUNTIME_ERROR",)"
           R"("message":"ZeroDivisionError: division by zero","stack":"Traceback (most recent call last):\n)"
           R"(  File \"<agent code>\", line 1, in <module>\n    1/0\n    ~^~\nZeroDivisionError: division by zero"}})");
  EXPECT_EQ(made.text,
            "RuntimeError (RUNTIME_ERROR): ZeroDivisionError: division by zero\n"
            "  File \"<agent code>\", line 1, in <module>\n    1/0\n    ~^~");
  const SaidOutcome advised = lean(
      R"({"result":null,"logs":[],"error":{"type":"RuntimeError","code":"RUNTIME_ERROR",)"
      R"("message":"ModuleNotFoundError: No module named 'x'; use y","stack":"Traceback (most recent call last):\n)"
      R"(  File \"<agent code>\", line 1, in <module>\n    import x\nModuleNotFoundError: No module named 'x'"}})");
  EXPECT_EQ(advised.text,
            "RuntimeError (RUNTIME_ERROR): ModuleNotFoundError: No module named 'x'; use y\n"
            "  File \"<agent code>\", line 1, in <module>\n    import x");
}

TEST(LeanOutcome, DropsTheLogLineThatTheErrorRepeats) {
  const SaidOutcome made = lean(
      R"({"result":null,"logs":["mine","blocked: no net","blocked: something else"],"error":{"type":"PermissionError",)"
      R"("code":"PERMISSION_DENIED","message":"PermissionDenied: no net"}})");
  EXPECT_NE(made.json.find(R"("logs":["mine","blocked: something else"])"), std::string::npos) << made.json;
}

TEST(LeanOutcome, WarnsWhereSomethingMayBeWrong) {
  const std::string warning =
      R"("diagnostics":[{"severity":"warning","about":"code","code":"TS1","message":"may be undefined","line":1,)"
      R"("column":1,"sourceLine":"x","caret":"^"},{"severity":"warning","about":"check","code":"C","message":"m"}])";
  EXPECT_EQ(lean(R"({"result":1,"logs":[],)" + warning + "}").text, "1");
  EXPECT_EQ(lean(R"({"result":null,"logs":[],)" + warning + "}").text,
            "null\n\nwarnings:\nline 1: may be undefined [TS1]\n  x\n  ^");
}

TEST(LeanOutcome, ALimitThatWasNotRaisedIsAlwaysTold) {
  const SaidOutcome warned = lean(
      R"({"result":1,"logs":[],"diagnostics":[{"severity":"warning","about":"limits","code":"L","message":"less"}]})");
  EXPECT_EQ(warned.text, "1\n\nwarnings:\nless");
  EXPECT_EQ(warned.json, R"({"run_id":"run_1","result":1,"warnings":["less"]})");
}

TEST(LeanOutcome, AnOutcomeThatCannotBeReadIsNoResult) {
  for (const char* broken : {"", "{", "[]", "null"}) {
    EXPECT_EQ(lean(broken).json, R"({"run_id":"run_1"})");
    EXPECT_NE(lean(broken).text, "");
  }
}

TEST(LeanOutcome, AStackThatIsNoStackHarmsNothing) {
  for (const char* stack :
       {"", "    at ", "    at x:y", "    at agent.ts:0:0", "    at a:99999999999:1", "m\n    at a:7:7)"})
    (void)lean(
        R"({"error":{"type":"T","code":"C","message":"m","stack":)" + json::serialize(json::string(stack)) + "}}",
        "one line");
}

}  // namespace
}  // namespace glovebox::agent_tools
