#include "calls/artifacts/artifact_calls.h"

#include <gtest/gtest.h>

#include "broker/call_desk.h"
#include "replay/replay.h"
#include "wire/frame.h"

namespace glovebox::calls {
namespace {

// SHA-256 of "ab".
constexpr const char* kDigestOfAb = "fb8e20fc2e4c3f248c60c39bd652f3c1347298bb977b8b4d5903b85055620603";

class ArtifactCallsTest : public testing::Test {
 protected:
  Call call_of(const std::string& arguments, std::uint64_t bytes) {
    const simdjson::dom::object object = parser_.parse(arguments);
    return {++id_, "emit", CallArguments(object), bytes};
  }
  // An answer that no guest receives.
  static std::shared_ptr<Answer> unheard() { return std::make_shared<Answer>(std::weak_ptr<broker::CallDesk>(), 1); }
  void send(const std::shared_ptr<BodySink>& sink, const std::vector<std::string>& pieces) {
    for (std::size_t i = 0; i < pieces.size(); ++i)
      sink->take(pieces[i], i + 1 == pieces.size(), [this] { ++resumed; });
  }
  // The reply that the guest gets for an artifact without bytes.
  std::string reply_to(const std::string& arguments, std::uint64_t bytes = 0) {
    std::string said;
    broker::CallDesk::Links links;
    links.send = [&](const OutgoingBytes& out) { said = out.bytes.substr(wire::kPrefixBytes); };
    links.unsent_bytes = [] { return std::size_t{0}; };
    links.now_ms = [] { return 1000; };
    links.violation = [&](const std::string& why) { said = "violation: " + why; };
    const auto desk = std::make_shared<broker::CallDesk>(std::move(links));
    desk->add("emit", std::make_unique<ArtifactCalls>(shelf));
    desk->open(call_of(arguments, bytes));
    return said;
  }

  std::shared_ptr<ArtifactShelf> shelf = [] {
    SandboxConfig config;
    config.max_artifact_bytes = 10;
    return std::make_shared<ArtifactShelf>(config);
  }();
  int resumed = 0;

 private:
  simdjson::dom::parser parser_;
  std::uint64_t id_ = 0;
};

TEST_F(ArtifactCallsTest, KeepWhatComesInPieces) {
  send(ArtifactCalls(shelf).handle(call_of(R"({"name":"a.csv"})", 2), unheard()), {"a", "b"});
  const std::vector<Artifact> kept = shelf->take();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].name + " " + kept[0].type + " " + kept[0].bytes(), "a.csv text/csv ab");
  EXPECT_EQ(kept[0].digest, kDigestOfAb);
  EXPECT_EQ(resumed, 2) << "the guest may go on after each piece";
}

TEST_F(ArtifactCallsTest, TellTheCodeWhatTheyAre) {
  const std::string said = reply_to(R"({"name":"e.txt","type":"text/html"})");
  EXPECT_NE(said.find(R"("ok":true)"), said.npos) << said;
  EXPECT_NE(said.find(R"("name":"e.txt","type":"text/html","size":0,"digest":"e3b0c442)"), said.npos) << said;
  EXPECT_EQ(shelf->take().size(), 1u);
}

TEST_F(ArtifactCallsTest, RefuseWhatHasNoNameOrNoRoom) {
  for (const char* arguments : {R"({"name":"../a"})", R"({"name":""})", R"({"name":"a b"})"})
    EXPECT_NE(reply_to(arguments).find(R"("name":"TypeError")"), std::string::npos) << arguments;
  EXPECT_NE(reply_to(R"({"name":"large"})", 11).find("ARTIFACT_LIMIT"), std::string::npos);
  EXPECT_TRUE(reply_to("{}").starts_with("violation"));
  EXPECT_TRUE(shelf->take().empty());
}

// A run that is resumed makes its artifacts again.
TEST_F(ArtifactCallsTest, AreMadeAgainFromTheJournal) {
  const replay::RecordedReply reply;
  const auto again = ArtifactCalls(shelf).recall(call_of(R"({"name":"a.txt"})", 2), unheard(), &reply);
  EXPECT_TRUE(again.is_answered);
  ASSERT_TRUE(again.sink);
  send(again.sink, {"ab"});
  const std::vector<Artifact> kept = shelf->take();
  ASSERT_EQ(kept.size(), 1u);
  EXPECT_EQ(kept[0].digest, kDigestOfAb);
}

}  // namespace
}  // namespace glovebox::calls
