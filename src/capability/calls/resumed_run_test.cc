// A capability that waits for a person while its gateway ends, and the run that called it.
#include "capability/capability_fixture.h"
#include "gateway/approvals/approval_answer.h"

namespace glovebox::capability {
namespace {

namespace json = boost::json;

class ResumedRunTest : public testing::CapabilityFixture {
 protected:
  ResumedRunTest() {
    allow_ = {"math", "files:read"};
    add("math.write", "return await mcp.files.write({ path: args.path })", R"(,"tools_used":["files:write"])");
    add("math.around", "return { inner: await mcp.math.write(args) }", R"(,"tools_used":["math:write"])");
    events_.on_waiting = [this](const gateway::ApprovalRequest& approval) { requests_.push_back(approval); };
    events_.on_end = [this](const gateway::RunEnd& end) { outcome_ = json::parse(end.outcome_json); };
  }
  // The run's id, once approval is asked for.
  std::string begin(const std::string& code, bool careful = false) {
    gateway::ExecuteRequest request;
    request.config.timeout = request.config.rpc_timeout = std::chrono::minutes(5);
    request.code = code;
    request.check = CheckMode::kOff;
    request.careful = careful;
    const std::string id = gateway().execute(std::move(request), events_).value();
    run_until([&] { return !requests_.empty() || outcome_; });
    EXPECT_EQ(requests_.size(), 1u);
    return id;
  }
  // Another gateway resumes what this one leaves.
  void restart() {
    close();
    requests_.clear();
    outcome_.reset();
    gateway();
  }
  void attach(const std::string& id) {
    run_until([&] {
      const auto record = gateway().get_run(id).value();
      EXPECT_FALSE(store::has_ended(record->status)) << record->outcome;
      return gateway().attach(id, events_) || store::has_ended(record->status);
    });
  }
  json::value finish() {
    run_until([&] { return outcome_.has_value(); });
    return *outcome_;
  }

  gateway::RunEvents events_;
  std::optional<json::value> outcome_;
};

TEST_F(ResumedRunTest, TheCallerGoesOnWithTheRunThatItCalled) {
  const std::string id =
      begin("const r = await mcp.files.read({ n: 1 }); return [r, await mcp.math.around({ path: 'a' })]");
  const std::string approval = requests_.at(0).id;
  restart();
  attach(id);
  run_until([&] { return !requests_.empty(); });
  // The same question, in the name of the run that the client knows.
  EXPECT_EQ(requests_.at(0).id, approval);
  EXPECT_EQ(requests_.at(0).run, id);
  gateway().answer({approval, {}, true, store::Scope::kOnce, "", {}, "ann", "test"}, "",
                   [](const Result<void>& given) { EXPECT_TRUE(given.ok()); });
  const json::value outcome = finish();
  EXPECT_EQ(outcome.at("result"), json::parse(R"([{"n":1},{"inner":{"path":"a"}}])")) << outcome;
  EXPECT_EQ(outcome.at("nested").at(0).at("nested").at(0).at("status"), "finished") << outcome;
  EXPECT_EQ(echo_.made, (std::vector<std::string>{R"(read{"n":1})", R"(write{"path":"a"})"}));
  EXPECT_EQ(store_->list_runs(std::nullopt, 10)->size(), 3u) << "the call was a new run";
}

TEST_F(ResumedRunTest, AnAnswerThatNoGatewaySawCountsForBoth) {
  const std::string id = begin("return await mcp.math.write({ path: 'b' })", /*careful=*/true);
  const std::string approval = requests_.at(0).id;
  close();
  ASSERT_TRUE(gateway::give_answer(*store_, {approval, {}, true, store::Scope::kOnce, "", {}, "ann", "test"}, root,
                                   1'700'000'000'000)
                  .ok());
  outcome_.reset();
  gateway();
  run_until([&] { return store::has_ended(gateway().get_run(id).value()->status); });
  EXPECT_EQ(json::parse(gateway().get_run(id).value()->outcome).at("result"), json::parse(R"({"path":"b"})"));
  EXPECT_EQ(echo_.made, std::vector<std::string>{R"(write{"path":"b"})"});
}

TEST_F(ResumedRunTest, ANoReachesTheCaller) {
  const std::string id =
      begin("try { return await mcp.math.write({ path: 'c' }) } catch (e) { return [e.name, e.code] }");
  restart();
  attach(id);
  run_until([&] { return !requests_.empty(); });
  gateway().answer({requests_.at(0).id, {}, false, store::Scope::kOnce, "no", {}, "ann", "test"}, "",
                   [](const Result<void>& given) { EXPECT_TRUE(given.ok()); });
  EXPECT_EQ(finish().at("result"), json::parse(R"(["MCPToolError","APPROVAL_DENIED"])"));
  EXPECT_TRUE(echo_.made.empty());
}

}  // namespace
}  // namespace glovebox::capability
