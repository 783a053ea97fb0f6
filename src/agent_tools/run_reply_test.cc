#include "agent_tools/run_reply.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "mcp/server/server_core.h"

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

class HidesMail final : public mcp::OutgoingFilter {
 public:
  std::string result(std::string json) override { return json; }
  std::string said(std::string json) override {
    constexpr std::string_view kMail = "eve@example.com";
    const std::size_t at = json.find(kMail);
    return at == json.npos ? json : json.replace(at, kMail.size(), "<EMAIL_1>");
  }
  std::string text(std::string text) override { return text; }
};

class UnheardOutlet final : public mcp::Outlet {
 public:
  void notify(std::string) override {}
  void send(std::string) override {}
  void finish(std::string, int) override {}
  void abandon() override {}
};

// A person would take <EMAIL_1> for the address that they expect.
TEST(RunReply, ARequestSaysWhereValuesAreHidden) {
  mcp::ServerCore core{
      {.info = {"test", "1", {}}, .make_filter = [](const auto&) { return std::make_shared<HidesMail>(); }}};
  std::vector<std::string> texts;
  const auto handler = [&](const std::shared_ptr<mcp::ServerCall>& call) {
    for (const char* to : {"eve@example.com", "all"}) {
      const std::string request =
          std::string(R"({"title":"t","calls":[{"server":"mail","tool":"send","arguments":{"to":")") + to + R"("}}]})";
      texts.push_back(approval_text_for(*call, {"ap_1", "run_1", "", request}));
    }
    call->reply_text("");
  };
  ASSERT_TRUE(core.add_tool({.name = "work"}, handler).ok());
  const auto peer = core.connect({.principal = "ann"});
  const auto ask = [&](const char* id, const char* method, const char* params) {
    peer->receive(mcp::Message::parse(mcp::request_text(id, method, params), {}).value(),
                  std::make_shared<UnheardOutlet>());
  };
  ask("1", "initialize", R"({"protocolVersion":"2025-11-25","capabilities":{}})");
  ask("2", "tools/call", R"({"name":"work","arguments":{}})");
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_NE(texts[0].find("\"to\": \"<EMAIL_1>\""), std::string::npos) << texts[0];
  EXPECT_NE(texts[0].find("are hidden here"), std::string::npos) << texts[0];
  EXPECT_EQ(texts[1].find("are hidden here"), std::string::npos) << texts[1];
}

}  // namespace
}  // namespace glovebox::agent_tools
