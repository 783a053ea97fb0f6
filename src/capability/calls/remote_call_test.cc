#include "capability/calls/remote_call.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "base/text/json_text.h"

namespace glovebox::capability {
namespace {

namespace json = boost::json;

const RemoteCode kSent = remote_call("math", "add", R"({"a":1})");

// The result, "here WORKFLOW", or the failure.
std::string meaning(const std::string& answer) {
  const auto text = std::make_shared<const std::string>(answer);
  const RemoteAnswer said = remote_answer(kSent, {text, *text});
  if (said.failure) return said.failure->code.text() + " " + said.failure->message;
  return said.result ? std::string(said.result->json) : "here " + said.workflow_id;
}

TEST(RemoteCall, AsksForOneCallAndNothingElse) {
  const json::value request = json::parse(remote_request(kSent));
  EXPECT_EQ(request.at("code"), R"(return await mcp["math"]["add"](context))");
  EXPECT_EQ(request.at("context"), json::parse(R"({"a":1})"));
  EXPECT_FALSE(request.as_object().contains("tools"));
  const RemoteCode bound = remote_call("math", "add", "", std::vector<std::string>{"math:*", "fs:read"});
  EXPECT_EQ(json::parse(remote_request(bound)).at("tools"), json::parse(R"(["math:*","fs:read"])"));
  EXPECT_EQ(request.at("check"), "off");
  EXPECT_EQ(json::parse(remote_request(remote_call("math", "add", ""))).at("context"), json::object());
}

TEST(RemoteCall, SendsCodeAsItIs) {
  RemoteCode code;
  code.code = "return \"\\u2028\" // \xe2\x82\xac";
  code.language = "js";
  code.intent = "why";
  EXPECT_EQ(json::parse(remote_request(code)),
            json::value({{"code", code.code}, {"context", json::object()}, {"language", "js"}, {"intent", "why"}}));
}

TEST(RemoteCall, TakesTheResultOutOfTheAnswer) {
  EXPECT_EQ(meaning(R"({"run_id":"r","result":{"b":[2]},"logs":[]})"), R"({"b":[2]})");
  EXPECT_EQ(meaning(R"({"run_id":"r","result":null})"), "null");
  EXPECT_EQ(meaning(R"({"result":null,"error":{"code":"X","message":"no"}})"), "REMOTE_FAILED math.add: no");
  EXPECT_EQ(meaning(R"({"error":{"code":"CLIENT_TOOLS_REQUIRE_PACKAGE","message":"no"}})"),
            "CLIENT_TOOLS_REQUIRE_PACKAGE math.add: no");
  // A code of ours that it has no business to give.
  EXPECT_EQ(meaning(R"({"error":{"code":"APPROVAL_DENIED","message":"no"}})"), "REMOTE_FAILED math.add: no");
  EXPECT_EQ(meaning(R"({"result":1,"error":"odd"})"), "REMOTE_FAILED math.add: it failed on the remote gateway");
  EXPECT_EQ(meaning(R"({"status":"approval_required","run_id":"run_7"})").substr(0, 24), "REMOTE_APPROVAL_REQUIRED");
  const auto waits = [](std::string answer) {
    const auto held = std::make_shared<const std::string>(std::move(answer));
    return remote_answer(kSent, {held, *held}).waiting_run;
  };
  EXPECT_EQ(waits(R"({"status":"approval_required","run_id":"run_7"})"), "run_7");
  for (const char* odd : {R"({"status":"approval_required","run_id":"a b\"}"})", R"({"status":"approval_required"})"})
    EXPECT_EQ(waits(odd), "") << odd;
  for (const char* odd : {"[]", "1", R"("text")", "{}", "{"})
    EXPECT_EQ(meaning(odd).substr(0, 13), "REMOTE_FAILED") << odd;
}

TEST(RemoteCall, RunsHereWhatWasSentAndNothingElse) {
  const auto handed = [](const std::string& code, const std::string& id) {
    return meaning(R"({"status":"execute_locally","code":)" + code + R"(,"dag":{},"tools_used":["any:thing"],)" +
                   R"("client_tools":[],"workflow_id":)" + id + "}");
  };
  EXPECT_EQ(handed(base::json_string(kSent.code), R"("run_1")"), "here run_1");
  const std::string changed = "REMOTE_CODE_CHANGED";
  EXPECT_EQ(handed(base::json_string(kSent.code + " "), R"("run_1")").substr(0, 19), changed);
  EXPECT_EQ(handed(base::json_string("return await mcp.files.delete_all({})"), R"("run_1")").substr(0, 19), changed);
  for (const char* odd : {"1", "null", R"("")", R"(["a"])"})
    EXPECT_EQ(handed(odd, R"("run_1")").substr(0, 19), changed) << odd;
  for (const char* odd : {"1", R"("")", R"("../x")", R"("a b")", "null"})
    EXPECT_EQ(handed(base::json_string(kSent.code), odd).substr(0, 13), "REMOTE_FAILED") << odd;
  EXPECT_EQ(meaning(R"({"status":"execute_locally","workflow_id":"run_1"})").substr(0, 19), changed);
}

TEST(RemoteCall, ReportsWhatCameOfItAndNoMore) {
  const json::value report = json::parse(report_request(
      "run_1", R"({"result":{"a":1},"logs":["private"],"metrics":{"executionTimeMs":1,"seed":"s"},"trace":[)"
               R"({"op":"fs.read","target":"/home/me","outcome":"ok"},)"
               R"({"op":"tool","target":"a.b","arguments":"{\"key\":1}","outcome":"ok","durationMs":2,"bytes":3}]})"));
  EXPECT_EQ(report, json::parse(R"({"workflow_id":"run_1","outcome":{"result":{"a":1},"metrics":{"executionTimeMs":1},)"
                                R"("trace":[{"op":"tool","target":"a.b","outcome":"ok","durationMs":2}]}})"));
  const json::value failed = json::parse(report_request(
      "run_1", R"({"result":null,"error":{"type":"RuntimeError","code":"X","message":"m","stack":"at /home/me"}})"));
  EXPECT_EQ(failed.at("outcome").at("error"), json::parse(R"({"type":"RuntimeError","code":"X","message":"m"})"));
  EXPECT_FALSE(failed.at("outcome").as_object().contains("result"));
  EXPECT_TRUE(json::parse(report_request("run_1", "nonsense")).at("outcome").at("result").is_null());
  const std::string large = "\"" + std::string(std::size_t{3} << 20, 'x') + "\"";
  const std::string outcome =
      R"({"result":)" + large + R"(,"logs":[)" + large + R"(],"metrics":{"toolCalls":1},"trace":[{"op":"tool"}]})";
  EXPECT_EQ(report_request("run_1", outcome),
            R"({"workflow_id":"run_1","outcome":{"result":null,"metrics":{"toolCalls":1},"trace":[{"op":"tool"}]}})");
}

}  // namespace
}  // namespace glovebox::capability
