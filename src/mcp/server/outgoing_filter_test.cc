#include "mcp/server/outgoing_filter.h"

#include <gtest/gtest.h>

#include "mcp/server/server_core.h"

namespace glovebox::mcp {
namespace {

struct KeptAnswers final : Outlet {
  void notify(std::string message) override { send(std::move(message)); }
  void send(std::string message) override { sent.push_back(std::move(message)); }
  void finish(std::string message, int) override { answers.push_back(std::move(message)); }
  void abandon() override {}

  std::vector<std::string> sent;
  std::vector<std::string> answers;
};

// Marks what passes through it, and delays large results.
struct Marks final : OutgoingFilter {
  explicit Marks(std::vector<std::function<void()>>& later) : waiting(later) {}
  std::string result(std::string) override { return R"({"content":[],"marked":true})"; }
  void large_result(std::string json, std::function<void(std::string)> done) override {
    waiting.push_back([this, json = std::move(json), done = std::move(done)] { done(result(json)); });
  }
  std::string said(std::string) override { return R"("marked")"; }
  std::string text(std::string) override { return "marked"; }

  std::vector<std::function<void()>>& waiting;
};

class Filtering : public testing::Test {
 protected:
  Filtering() : core(options()) {
    EXPECT_TRUE(core.add_tool({.name = "tell"},
                              [](const std::shared_ptr<ServerCall>& call) {
                                call->progress(1, 2, "a secret");
                                call->reply_text(std::string(call->argument("kind") == "large" ? 1 << 20 : 1, 'x'));
                              })
                    .ok());
  }
  ServerOptions options() {
    ServerOptions made;
    made.info = {"test", "1", {}};
    made.make_filter = [this](const CallFacts& facts) {
      conversations.push_back(facts.conversation);
      return std::make_shared<Marks>(later);
    };
    made.on_conversation_ended = [this](const std::string& conversation) { ended.push_back(conversation); };
    return made;
  }
  std::shared_ptr<KeptAnswers> call(const std::shared_ptr<ServerPeer>& peer, const std::string& kind) {
    const auto outlet = std::make_shared<KeptAnswers>();
    const std::string params =
        R"({"name":"tell","arguments":{"kind":")" + kind +
        R"("},"_meta":{"progressToken":1,"io.modelcontextprotocol/protocolVersion":"2026-07-28",)"
        R"("io.modelcontextprotocol/clientCapabilities":{}}})";
    peer->receive(Message::parse(request_text("1", "tools/call", params), {}).value(), outlet);
    return outlet;
  }

  std::vector<std::function<void()>> later;
  std::vector<std::string> conversations;
  std::vector<std::string> ended;
  ServerCore core;
};

TEST_F(Filtering, PassesWhateverAToolSays) {
  const auto received = call(core.connect({.principal = "ann"}), "small");
  ASSERT_EQ(received->sent.size(), 1u);
  EXPECT_NE(received->sent[0].find(R"("message":"marked")"), std::string::npos) << received->sent[0];
  ASSERT_EQ(received->answers.size(), 1u);
  EXPECT_NE(received->answers[0].find(R"("marked":true)"), std::string::npos) << received->answers[0];
}

TEST_F(Filtering, MayTakeItsTimeForALargeResult) {
  const auto received = call(core.connect({.principal = "ann"}), "large");
  EXPECT_TRUE(received->answers.empty());
  ASSERT_EQ(later.size(), 1u);
  later[0]();
  ASSERT_EQ(received->answers.size(), 1u);
  EXPECT_NE(received->answers[0].find(R"("resultType":"complete")"), std::string::npos);
  EXPECT_NE(received->answers[0].find(R"("marked":true)"), std::string::npos);
}

TEST_F(Filtering, KnowsTheConversation) {
  const auto ann = core.connect({.principal = "ann"});
  const auto other = core.connect({.principal = "ann"});
  const auto shared = core.connect({.principal = "ann"}, "all");
  for (const auto& peer : {ann, other, ann, shared}) call(peer, "small");
  ASSERT_EQ(conversations.size(), 4u);
  EXPECT_EQ(conversations[0], conversations[2]);
  EXPECT_NE(conversations[0], conversations[1]);
  EXPECT_EQ(conversations[3], "all");
  ann->close();
  shared->close();
  EXPECT_EQ(ended, std::vector<std::string>{conversations[0]});
}

}  // namespace
}  // namespace glovebox::mcp
