// Tokens, private values and the flow of data, at a gateway.
#include "gateway/gateway_fixture.h"
#include "gateway/privacy/run_privacy.h"

namespace glovebox::gateway {
namespace {

TEST_F(GatewayTest, OnlyToolsThatMayHaveThemGetValuesForTokens) {
  permit({{"*"}, {}, {}});
  config::PrivacySettings privacy;
  privacy.restore = {"gh:send_*"};
  options_.privacy = std::move(PrivacyGuard::make(privacy, {}, privacy::Mode::kTokenize)).value();
  const std::string filtered = options_.privacy->filter()->json(R"(["bob@example.com"])").text;
  ASSERT_EQ(filtered, R"(["<EMAIL_1>"])");
  const auto run = execute(
      "await mcp.gh.send_mail({to: '<EMAIL_1>', about: '<EMAIL_7>'});"
      "await mcp.gh.post({to: '<EMAIL_1>'}); return await mcp.fs.send_mail({to: '<EMAIL_1>'})");
  EXPECT_EQ(json::serialize(result_of(run).at("result")), R"({"to":"<EMAIL_1>"})");
  ASSERT_EQ(tools_.made.size(), 3u);
  EXPECT_EQ(tools_.made[0].arguments, R"({"to":"bob@example.com","about":"<EMAIL_7>"})");
  EXPECT_EQ(tools_.made[1].arguments, R"({"to":"<EMAIL_1>"})");
  EXPECT_EQ(tools_.made[2].arguments, R"({"to":"<EMAIL_1>"})");
  // The audit log has neither.
  EXPECT_EQ(json::serialize(audit("call.begun")[0].at("arguments")), R"({"to":"<EMAIL>","about":"<EMAIL_7>"})");
}

TEST_F(GatewayTest, RulesJudgeWhatTheServerWouldGet) {
  permit({{"*"}, {}, {"gh:send(to=*@evil.example)"}});
  config::PrivacySettings privacy;
  privacy.restore = {"gh"};
  options_.privacy = std::move(PrivacyGuard::make(privacy, {}, privacy::Mode::kTokenize)).value();
  (void)options_.privacy->filter()->text("eve@evil.example");
  const auto run = execute("try { await mcp.gh.send({to: '<EMAIL_1>'}) } catch (error) { return error.name }");
  EXPECT_EQ(result_of(run).at("result").as_string(), "PermissionDenied");
  EXPECT_TRUE(tools_.made.empty());
}

TEST_F(GatewayTest, DataThatGoesToAnotherServerIsAskedAbout) {
  permit({{"*"}, {}, {}});
  options_.privacy = std::move(PrivacyGuard::make({}, {{"fs:*", "gh:*", "ask"}}, privacy::Mode::kTokenize)).value();
  // The fake tools return their arguments.
  const auto run = execute(
      "const {mail} = await mcp.fs.read({mail: 'bob@example.com'});"
      "await mcp.gh.post({text: 'nothing of it'}); await mcp.fs.write({text: mail});"
      "await mcp.gh.post({text: 'write to ' + mail}); return 1");
  wait_for_requests(1);
  EXPECT_EQ(tools_.made.size(), 3u);
  const json::value request = json::parse(requests_[0].json);
  ASSERT_EQ(request.at("calls").as_array().size(), 1u);
  EXPECT_NE(request.at("calls").at(0).at("why").as_string().find("It carries what fs:read answered"),
            json::string::npos);
  EXPECT_EQ(audit("call.asked")[0].at("rule").as_string(), "flows");
  ASSERT_TRUE(answer(requests_[0].id, true));
  EXPECT_EQ(result_of(run).at("result").as_int64(), 1);
  EXPECT_EQ(tools_.made.size(), 4u);
}

TEST_F(GatewayTest, ATokenIsTheValueThatItStandsFor) {
  permit({{"*"}, {}, {}});
  options_.privacy = std::move(PrivacyGuard::make({}, {{"fs", "gh", "deny"}}, privacy::Mode::kTokenize)).value();
  (void)options_.privacy->filter()->text("bob@example.com");
  const auto run = execute(
      "await mcp.fs.read({mail: 'bob@example.com'});"
      "try { await mcp.gh.post({text: 'to <EMAIL_1>'}) } catch (error) { return error.name }");
  EXPECT_EQ(result_of(run).at("result").as_string(), "PermissionDenied");
  EXPECT_EQ(tools_.made.size(), 1u);
}

TEST_F(GatewayTest, PrivateValuesStopAtTheBoundary) {
  permit({{"*"}, {}, {}});
  config::PrivacySettings privacy;
  privacy.enforce = "boundary";
  privacy.restore = {"fs:read"};
  options_.privacy = std::move(PrivacyGuard::make(privacy, {}, privacy::Mode::kTokenize)).value();
  const auto run = execute(
      "const {mail} = await mcp.fs.read({mail: 'bob@example.com'});"
      "await mcp.gh.post({text: 'somebody wrote'});"
      "try { await mcp.gh.post({text: mail.split('').join(' ')}) } catch (error) { return error.message }");
  const auto message = result_of(run).at("result").as_string();
  EXPECT_NE(message.find("denied by the rule \"privacy.enforce\": it would carry a private value"), json::string::npos)
      << message;
  EXPECT_EQ(tools_.made.size(), 2u);
  EXPECT_EQ(audit("call.denied")[0].at("rule").as_string(), "privacy.enforce");
}

TEST_F(GatewayTest, TokensAreKnownInTheirConversationAlone) {
  permit({{"*"}, {}, {}});
  config::PrivacySettings privacy;
  privacy.restore = {"gh"};
  options_.privacy = std::move(PrivacyGuard::make(privacy, {}, privacy::Mode::kTokenize)).value();
  ASSERT_EQ(options_.privacy->filter("a")->text("bob@example.com").text, "<EMAIL_1>");
  ASSERT_EQ(options_.privacy->filter("b")->text("eve@example.com").text, "<EMAIL_2>");
  const auto run_in = [&](const std::string& conversation) {
    ExecuteRequest request;
    request.privacy = gateway().privacy_in(conversation);
    const auto outcome = result_of(
        execute("const {to} = await mcp.gh.post({to: '<EMAIL_1>, <EMAIL_2>'}); return to", std::move(request)));
    return std::string(outcome.at("result").as_string());
  };
  EXPECT_EQ(run_in("a"), "bob@example.com, <EMAIL_2>");
  EXPECT_EQ(run_in("b"), "<EMAIL_1>, eve@example.com");
  EXPECT_EQ(run_in(""), "<EMAIL_1>, <EMAIL_2>");
  options_.privacy->end("a");
  EXPECT_EQ(run_in("a"), "<EMAIL_1>, <EMAIL_2>");
}

TEST_F(GatewayTest, ARunThatIsCalledSharesWhatItsCallerKnows) {
  permit({{"*"}, {}, {}});
  config::PrivacySettings privacy;
  privacy.restore = {"gh:send"};
  options_.privacy =
      std::move(PrivacyGuard::make(privacy, {{"fs", "gh:post", "deny"}}, privacy::Mode::kTokenize)).value();
  (void)options_.privacy->filter("a")->text("bob@example.com");
  ExecuteRequest request;
  request.privacy = gateway().privacy_in("a");
  const auto caller =
      execute("await mcp.fs.read({mail: 'secret-plan-77'}); await mcp.fs.list({}); return 1", std::move(request));
  run_until([&] { return tools_.made.size() == 1; });
  tools_.hold = true;
  run_until([&] { return tools_.held.size() == 1; });
  tools_.hold = false;
  ExecuteRequest called;
  called.parent = caller;
  const auto outcome =
      result_of(execute("const {to} = await mcp.gh.send({to: '<EMAIL_1>'});"
                        "try { await mcp.gh.post({text: 'secret-plan-77'}) }"
                        "catch (error) { return [to, error.name] }",
                        std::move(called)));
  EXPECT_EQ(json::serialize(outcome.at("result")), R"(["bob@example.com","PermissionDenied"])");
  tools_.held.front()();
  EXPECT_EQ(result_of(caller).at("result"), 1);
}

}  // namespace
}  // namespace glovebox::gateway
