// Two gateways: code that a remote one hands back, what is reported to it, and what the one in the role of a server
// keeps.
#include "capability/capability_fixture.h"
#include "gateway/adoption/handed_runs.h"
#include "store/standing_still.h"

namespace glovebox::capability {
namespace {

namespace json = boost::json;

class HybridTest : public testing::CapabilityFixture {
 protected:
  HybridTest() {
    options_.remote = [] { return "files"; };
    allow_ = {"far", "files:read", "elsewhere"};
    add("far.away", "return { here: await mcp.files.read(args) }",
        R"(,"routing":"server","tools_used":["files:read"])");
  }
  static std::string handed(const std::string& code) {
    return R"({"status":"execute_locally","code":)" + json::serialize(json::string(code)) +
           R"(,"dag":{"tasks":[]},"tools_used":["files:delete"],"client_tools":[],"workflow_id":"run_there"})";
  }
  Result<std::string> hand_out(const gateway::ExecuteRequest& request, const std::string& to) {
    return answer_of<std::string>([&](const auto& done) { gateway().hand_out(request, to, done); });
  }
  Result<void> report(const std::string& run, const std::string& from, const std::string& outcome) {
    return answer_of<void>([&](const auto& done) { gateway().accept_report(run, from, outcome, done); });
  }
  // A store that a busy machine holds up is asked again.
  template <typename T, typename Ask>
  Result<T> answer_of(Ask ask) {
    while (true) {
      std::optional<Result<T>> answer;
      ask([&](const Result<T>& given) { answer = given; });
      run_until([&] { return answer.has_value(); });
      if (*answer || answer->failure().code != ErrorCode::kSystem) return *answer;
    }
  }
  gateway::ExecuteRequest code(const std::string& text, const std::string& client) {
    gateway::ExecuteRequest request;
    request.config.timeout = request.config.rpc_timeout = std::chrono::minutes(5);
    request.code = text;
    request.client = client;
    return request;
  }
};

TEST_F(HybridTest, WhatIsHandedBackIsThePinnedCodeByTheRulesHere) {
  echo_.remote_answer = handed(R"(return await mcp["far"]["away"](context))");
  const json::value outcome = run("return await mcp.far.away({ a: 1 })");
  EXPECT_EQ(outcome.at("result"), json::parse(R"({"here":{"a":1}})")) << outcome;
  ASSERT_EQ(reports_.size(), 1u);
  EXPECT_EQ(reports_[0].first, "run_there");
  EXPECT_EQ(json::parse(reports_[0].second).at("result"), json::parse(R"({"here":{"a":1}})"));
  // A rule of this gateway holds, whatever the remote one says that the code uses.
  close();
  allow_ = {"far"};
  answer_ = false;
  EXPECT_EQ(code_of(run("return await mcp.far.away({ a: 1 })")), "APPROVAL_DENIED");
  EXPECT_EQ(json::parse(reports_.at(1).second).at("error").at("code"), "APPROVAL_DENIED");
}

TEST_F(HybridTest, OtherCodeThanWasSentIsNotRun) {
  echo_.remote_answer = handed("return await mcp.files.read({ path: '/etc/shadow' })");
  EXPECT_EQ(code_of(run("return await mcp.far.away({ a: 1 })")), "REMOTE_CODE_CHANGED");
  EXPECT_EQ(echo_.made.size(), 1u) << "only execute_code of the remote gateway";
  EXPECT_TRUE(reports_.empty());
}

TEST_F(HybridTest, NamesThatNothingHereHasAreTheRemoteGateways) {
  EXPECT_EQ(run("return await mcp.elsewhere.tool({ a: 1 })").at("result"), json::parse(R"({"a":1})"));
  EXPECT_NE(echo_.made.at(0).find(R"(mcp[\"elsewhere\"][\"tool\"])"), std::string::npos);
  // It has none either, and says so by handing the call back.
  echo_.remote_answer = handed(R"(return await mcp["elsewhere"]["tool"](context))");
  EXPECT_EQ(code_of(run("return await mcp.elsewhere.tool({ a: 1 })")), "TOOL_NOT_FOUND");
  // Rules are asked as for any tool.
  echo_.made.clear();
  answer_ = false;
  EXPECT_EQ(code_of(run("return await mcp.unheard.of({})")), "APPROVAL_DENIED");
  EXPECT_TRUE(echo_.made.empty());
}

TEST_F(HybridTest, WhatIsApprovedThereComesHome) {
  echo_.remote_answer = R"({"status":"approval_required","run_id":"run_9"})";
  echo_.run_answer = R"({"run_id":"run_9","result":{"b":2}})";
  EXPECT_EQ(run("return await mcp.elsewhere.tool({ a: 1 })").at("result"), json::parse(R"({"b":2})"));
  EXPECT_EQ(echo_.made.back(), R"(get_run{"run_id":"run_9"})");
  // What is denied there, too.
  echo_.run_answer = R"({"run_id":"run_9","error":{"code":"APPROVAL_DENIED","message":"not today"}})";
  EXPECT_EQ(code_of(run("return await mcp.elsewhere.tool({ a: 1 })")), "REMOTE_FAILED");
}

TEST_F(HybridTest, CodeOfAGatewayIsNotSentOn) {
  const auto sent_by_a_gateway = [&](const std::string& text) {
    gateway::ExecuteRequest request = code(text, "http client");
    request.check = CheckMode::kOff;
    request.chain = {std::string(kGatewayLink) + "http client"};
    std::optional<std::string> outcome;
    gateway::RunEvents events;
    events.on_end = [&](const gateway::RunEnd& end) { outcome = end.outcome_json; };
    EXPECT_TRUE(gateway().execute(std::move(request), events).ok());
    run_until([&] { return outcome.has_value(); });
    return code_of(json::parse(*outcome));
  };
  EXPECT_EQ(sent_by_a_gateway("return await mcp.elsewhere.tool({})"), "TOOL_NOT_FOUND");
  EXPECT_EQ(sent_by_a_gateway("return await mcp.far.away({})"), "REMOTE_LOOP");
  EXPECT_TRUE(echo_.made.empty());
}

TEST_F(HybridTest, AServerKnowsWhatOnlyAClientHas) {
  options_.is_server_role = true;
  add("far.mine", "return 1", R"(,"routing":"server","tools_used":["desk:files"])");
  add("far.over", "return 1", R"(,"routing":"server","tools_used":["far:mine"])");
  add("near.by", "return 1");
  EXPECT_FALSE(tools().is_client_tool("files", "read"));
  EXPECT_FALSE(tools().is_client_tool("far", "away"));
  EXPECT_TRUE(tools().is_client_tool("desk", "files"));
  EXPECT_TRUE(tools().is_client_tool("near", "by"));
  EXPECT_TRUE(tools().is_client_tool("far", "mine"));
  EXPECT_TRUE(tools().is_client_tool("far", "over"));
  // There they run where they are.
  EXPECT_EQ(run("return await mcp.far.away({ a: 1 })").at("result"), json::parse(R"({"here":{"a":1}})"));
}

TEST_F(HybridTest, AReportIsTakenOnceFromWhomTheCodeWasHandedTo) {
  const std::string ann = "http client_aaaaaaaaaaaa";
  const std::string bob = "http client_bbbbbbbbbbbb";
  const std::string good = R"({"result":{"n":1},"trace":[]})";
  const std::string id = hand_out(code("return 1", ann), ann).value();
  EXPECT_FALSE(report(id, bob, good).ok());
  EXPECT_FALSE(report("run_none", ann, good).ok());
  EXPECT_FALSE(report(id, ann, "[]").ok());
  // No gateway may resume it, and it outlives the gateway that handed it out.
  close();
  gateway();
  EXPECT_EQ(gateway().get_run(id).value()->status, store::RunStatus::kRunning);
  ASSERT_TRUE(report(id, ann, good).ok());
  EXPECT_FALSE(report(id, ann, R"({"result":"another"})").ok());
  const auto kept = gateway().get_run(id).value();
  EXPECT_EQ(kept->status, store::RunStatus::kFinished);
  EXPECT_EQ(json::parse(kept->outcome).at("result"), json::parse(R"({"n":1})"));
  EXPECT_EQ(json::parse(kept->outcome).at("reportedBy").as_string(), ann);
  // A run of this gateway's own is not a client's to end.
  EXPECT_EQ(run("return 7").at("result"), 7);
  const auto all = store_->list_runs(std::nullopt, 10);
  for (const store::RunRecord& one : *all) EXPECT_FALSE(report(one.id, ann, good).ok());
}

TEST_F(HybridTest, WhatIsNeverReportedEndsSomeDay) {
  std::int64_t now = 1'700'000'000'000;
  now_ = [&now] { return now; };
  const std::string id = hand_out(code("return 1", "http a"), "http a").value();
  const auto open = [&] { return !store::has_ended(gateway().get_run(id).value()->status); };
  close();
  gateway();
  EXPECT_TRUE(open());
  now += std::chrono::milliseconds(gateway::kReportTime).count() + 1;
  close();
  gateway();
  EXPECT_FALSE(open());
  EXPECT_EQ(json::parse(gateway().get_run(id).value()->outcome).at("error").at("code"), "NOT_REPORTED");
  // Nor can a client fill the store with them.
  for (std::size_t i = 0; i < gateway::kMostHandedPerClient; ++i)
    ASSERT_TRUE(hand_out(code("return 1", "http a"), "http a").ok());
  EXPECT_FALSE(hand_out(code("return 1", "http a"), "http a").ok());
  EXPECT_TRUE(hand_out(code("return 1", "http b"), "http b").ok());
}

// A client that asks for many at once gets no more than it may have, and its loop waits for no store.
TEST_F(HybridTest, OfManyAtOnceSoManyAreHandedOut) {
  gateway();
  store::StandingStill still(*store_);
  std::vector<std::string> handed;
  std::size_t answered = 0;
  {
    const store::QueueOnly loop;
    for (std::size_t i = 0; i < gateway::kMostHandedPerClient + 10; ++i)
      gateway().hand_out(code("return 1", "http a"), "http a", [&](const Result<std::string>& id) {
        ++answered;
        if (id) handed.push_back(*id);
      });
  }
  still.let_go();
  run_until([&] { return answered == gateway::kMostHandedPerClient + 10; });
  ASSERT_EQ(handed.size(), gateway::kMostHandedPerClient);
  const std::string log = read(".glovebox/audit.log");
  std::size_t logged = 0;
  for (auto at = log.find("run.handed"); at != log.npos; at = log.find("run.handed", at + 1)) ++logged;
  EXPECT_EQ(logged, handed.size()) << "what was refused is not in the log as handed";
  // Of two reports about one of them, one is taken.
  int accepted = 0;
  int reported = 0;
  for (int i = 0; i < 2; ++i)
    gateway().accept_report(handed[0], "http a", R"({"result":1})", [&](const Result<void>& done) {
      ++reported;
      accepted += done.ok() ? 1 : 0;
    });
  run_until([&] { return reported == 2; });
  EXPECT_EQ(accepted, 1);
}

TEST_F(HybridTest, MadeUpNamesOfOneTokenGetNoMoreRoom) {
  now_ = [] { return std::int64_t{0}; };  // none is late
  const auto hand = [&](const std::string& to) { return hand_out(code("return 1", to), to).ok(); };
  ASSERT_TRUE(hand("http:eve made-up-name-0"));
  for (std::size_t i = 1; i < gateway::kMostHandedPerToken; ++i) {
    store::RunRecord handed;
    handed.id = "run_" + std::to_string(i);
    handed.code = "return 1";
    handed.client = "http:eve made-up-name-" + std::to_string(i);
    handed.owner = gateway::owner_at_client(handed.client);
    ASSERT_TRUE(store_->add_run(handed).ok());
  }
  EXPECT_FALSE(hand("http:eve another-name"));
  EXPECT_TRUE(hand("http:ann client-of-ann"));
}

TEST_F(HybridTest, HandedRunsOfOneTokenHaveSoManyBytesInTheStore) {
  now_ = [] { return std::int64_t{0}; };  // none is late
  const auto hand = [&](const std::string& to, std::size_t bytes) {
    return hand_out(code(std::string(bytes, ' '), to), to);
  };
  store::RunRecord large;
  large.id = "run_large";
  large.code = std::string(gateway::kMostHandedBytesPerToken - 3000, ' ');
  large.client = "http:eve one-name";
  large.owner = gateway::owner_at_client(large.client);
  gateway();
  ASSERT_TRUE(store_->add_run(large).ok());
  EXPECT_FALSE(hand("http:eve another-name", 3000).ok());
  const auto small = hand("http:eve another-name", 10);
  ASSERT_TRUE(small.ok());
  EXPECT_TRUE(hand("http:eve2 another-token", 3000).ok());
  EXPECT_TRUE(hand("http the-token-of-the-config", 3000).ok());
  ASSERT_TRUE(report(large.id, large.client, R"({"result":1})").ok());
  const auto last = hand("http:eve another-name", 3000);
  EXPECT_TRUE(last.ok()) << last.failure().message;
}

}  // namespace
}  // namespace glovebox::capability
