#include "agent_tools/run_reply.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace glovebox::agent_tools {
namespace {

namespace json = boost::json;

RunReply reply_to(const std::string& outcome, const EndWords& words = {},
                  store::RunStatus status = store::RunStatus::kFinished) {
  return reply_of_end({"run_1", status, outcome, nullptr}, nullptr, {}, words);
}

TEST(RunReply, AResultIsItsOwnText) {
  const EndWords words{.state = R"({"state":{"result":[]}})", .details = R"({"more":1})", .artifacts = {}};
  for (const std::string result : {R"({"a":"b\"c","d":[1,"é"]})", "17", R"("text")", "null", "[]"}) {
    const RunReply reply = reply_to(R"({"result":)" + result + R"(,"logs":[]})", words);
    ASSERT_TRUE(reply.twice) << result;
    const json::value answer = json::parse(base::with_text(reply.json, *reply.twice));
    EXPECT_EQ(answer.at("content").at(0).at("text"), json::value(result));
    EXPECT_EQ(answer.at("structuredContent").at("result"), json::parse(result));
    EXPECT_EQ(answer.at("structuredContent").at("run_id"), "run_1");
    EXPECT_EQ(answer.at("_meta").at("glovebox/run").at("more"), 1);
  }
}

TEST(RunReply, HasThePartsInTheirOrder) {
  const EndWords words{.state = R"({"state":{}})", .details = R"({"more":1})", .artifacts = {}};
  const std::string outcome =
      R"({"result":{"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"},"logs":[],"n":2})";
  const RunReply reply = reply_to(outcome, words);
  ASSERT_TRUE(reply.twice);
  EXPECT_EQ(base::with_text(reply.json, *reply.twice),
            R"({"_meta":{"glovebox/run":{"more":1,"n":2}},"content":[{"type":"text","text":"\"[image 1: png]\""},)"
            R"({"type":"image","data":"iVBORw0KGgo=","mimeType":"image/png"}],)"
            R"("structuredContent":{"run_id":"run_1","result":"[image 1: png]","state":{}}})");
}

TEST(RunReply, ATextThatSaysMoreIsThere) {
  const RunReply logged = reply_to(R"({"result":17,"logs":["one"]})");
  EXPECT_FALSE(logged.twice);
  EXPECT_EQ(json::parse(logged.json).at("content").at(0).at("text"), "17\n\nlogs:\none");
  // An invisible character is escaped in the text only.
  const RunReply unseen = reply_to("{\"result\":\"a\u200bb\",\"logs\":[]}");
  EXPECT_FALSE(unseen.twice);
  const RunReply failed =
      reply_to(R"({"result":null,"logs":[],"error":{"type":"RuntimeError","code":"RUNTIME_ERROR","message":"no"}})", {},
               store::RunStatus::kFailed);
  EXPECT_FALSE(failed.twice);
  EXPECT_EQ(json::parse(failed.json).at("isError"), true);
}

}  // namespace
}  // namespace glovebox::agent_tools
