#include "http_api/api.h"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <future>

#include "base/digest.h"
#include "gateway/adoption/owner_lock.h"
#include "gateway/audit/audit_anchor.h"
#include "http_api/api_fixture.h"
#include "http_api/query.h"

namespace glovebox::http_api {
namespace {

INSTANTIATE_TEST_SUITE_P(On, ApiTest, testing::Values(store::Backend::kSqlite), store::backend_name);

TEST_P(ApiTest, EveryRouteIsForItsRoleAndThoseAboveIt) {
  for (const Route& route : routes()) {
    std::string path(route.path);
    if (const std::size_t at = path.find("{id}"); at != path.npos) path.replace(at, 4, "none");
    for (const ApiRole role : {ApiRole::kNone, ApiRole::kViewer, ApiRole::kApprover, ApiRole::kOperator}) {
      const auto response = ask(std::string(route.method), in(path), R"({"type":"approval_response"})", role);
      EXPECT_EQ(response.status == 403, role < route.role)
          << route.method << " " << route.path << " for " << name_of(role) << ": " << response.body;
    }
  }
}

// The code of a run made it: no browser may take it for a page of ours.
TEST_P(ApiTest, ArtifactsAreDownloadsThatNoBrowserRuns) {
  add_run("run_1", 1);
  const auto page = std::make_shared<const std::string>("<script>alert(1)</script>");
  store::RunRemains remains;
  remains.artifacts = {{"page.html", "text/html", base::sha256_hex(*page), page},
                       {"odd", "text/html\r\nX-Odd: 1", base::sha256_hex(*page), page},
                       {"a\"b", "text/html", base::sha256_hex(*page), page}};
  ASSERT_TRUE(store_->end_run("run_1", store::RunStatus::kFinished, "{}", 2, remains).ok());
  const json::object listed = get_json(in("/runs/run_1/artifacts"));
  EXPECT_EQ(listed.at("artifacts").at(0).at("name"), "page.html");
  EXPECT_EQ(listed.at("artifacts").at(0).at("size"), 25);
  const auto response = ask("GET", in("/runs/run_1/artifacts/page.html"), "", ApiRole::kApprover);
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, *page);
  EXPECT_EQ(response.content_type, "text/html");
  for (const char* line :
       {"Content-Disposition: attachment; filename=\"page.html\"\r\n", "X-Content-Type-Options: nosniff\r\n",
        "Content-Security-Policy: default-src 'none'; sandbox\r\n"})
    EXPECT_NE(response.head.find(line), std::string::npos) << line;
  EXPECT_EQ(ask("GET", in("/runs/run_1/artifacts/odd")).content_type, "application/octet-stream");
  EXPECT_EQ(ask("GET", in("/runs/run_1/artifacts/a\"b")).status, 404);
  EXPECT_EQ(ask("GET", in("/runs/run_1/artifacts/none")).status, 404);
  EXPECT_EQ(ask("GET", in("/runs/run_2/artifacts")).status, 404);
  EXPECT_EQ(ask("GET", in("/runs/run_1/artifacts/page.html"), "", ApiRole::kViewer).status, 403);
}

TEST_P(ApiTest, AnAgentsTokenOpensNothing) {
  mcp::Caller agent{.principal = "http", .speaks_mcp = true, .watches = true, .sees_runs = true, .answers = true};
  for (const char* path : {"/api/v1", "/api/v1/workspaces/1/runs", "/api/v1/workspaces/1/approvals", "/api/v1/events"})
    EXPECT_EQ(api_->respond({agent, "GET", path, ""}).status, 403) << path;
}

TEST_P(ApiTest, SaysWhoAsksAndWhichWorkspacesThereAre) {
  const json::object about = get_json("/api/v1");
  EXPECT_EQ(about.at("role"), "operator");
  EXPECT_EQ(about.at("version"), "1.2.3");
  EXPECT_EQ(about.at("workspaces").as_array().at(0).at("name"), "shop");
}

TEST_P(ApiTest, ListsRunsPageByPage) {
  for (int i = 1; i <= 5; ++i) add_run("run_" + std::to_string(i), i * 10);
  const json::object first = get_json(in("/runs?limit=2"));
  ASSERT_EQ(first.at("runs").as_array().size(), 2u);
  EXPECT_EQ(first.at("runs").as_array()[0].at("id"), "run_5");
  EXPECT_EQ(first.at("runs").as_array()[0].at("about"), "return 1");
  EXPECT_EQ(first.at("next"), 40);
  const json::object last = get_json(in("/runs?limit=4&before=40"));
  EXPECT_EQ(last.at("runs").as_array().size(), 3u);
  EXPECT_TRUE(last.at("next").is_null());
  EXPECT_EQ(get_json(in("/runs?status=running&client=stdio")).at("runs").as_array().size(), 5u);
  EXPECT_EQ(get_json(in("/runs?client=other")).at("runs").as_array().size(), 0u);
}

TEST_P(ApiTest, AYesNamesTheRequestThatWasSeen) {
  add_run("run_1", 1);
  add_approval("run_1");
  const json::object request = get_json(in("/approvals")).at("approvals").as_array().at(0).as_object();
  EXPECT_EQ(request.at("digest").as_string(), base::sha256_hex(R"({"id":"ap_run_1","title":"pay"})"));
  EXPECT_EQ(ask("POST", in("/approvals/ap_run_1"), R"({"decision":"approve"})").status, 400);
  EXPECT_EQ(ask("POST", in("/approvals/ap_run_1"), R"({"decision":"approve","digest":"another"})").status, 409);
  const std::string yes =
      R"({"decision":"approve","digest":")" + std::string(request.at("digest").as_string()) + R"("})";
  EXPECT_EQ(ask("POST", in("/approvals/ap_run_1"), yes, ApiRole::kViewer).status, 403);
  const auto given = ask("POST", in("/approvals/ap_run_1"), yes, ApiRole::kApprover);
  EXPECT_EQ(given.status, 200) << given.body;
  EXPECT_EQ(ask("POST", in("/approvals/ap_run_1"), yes).status, 409) << "an answer counts once";
  const json::object answered = get_json(in("/approvals/ap_run_1"));
  EXPECT_EQ(answered.at("state"), "answered");
  EXPECT_EQ(answered.at("answers").as_array().at(0).at("who"), "ann");
  EXPECT_EQ(get_json(in("/approvals")).at("approvals").as_array().size(), 0u);
  EXPECT_EQ(get_json(in("/approvals?state=all")).at("approvals").as_array().size(), 1u);
}

TEST_P(ApiTest, SaysWhatIsWrongWithARequest) {
  add_run("run_1", 1);
  add_approval("run_1");
  const auto post = [&](const char* body) { return ask("POST", in("/approvals/ap_run_1"), body).status; };
  EXPECT_EQ(post("[]"), 400);
  EXPECT_EQ(post(R"({"decision":"maybe"})"), 400);
  EXPECT_EQ(post(R"({"decision":"deny","scope":"forever"})"), 400);
  EXPECT_EQ(post(R"({"decision":"deny","calls":[]})"), 400);
  EXPECT_EQ(post(R"({"decision":"deny","calls":["1"]})"), 400);
  EXPECT_EQ(post(R"({"decision":"approve","digest":"x","rules":["bank:*"]})"), 400) << "a rule for once";
  EXPECT_EQ(ask("GET", in("/approvals?state=some")).status, 400);
  EXPECT_EQ(ask("GET", in("/runs?limit=0")).status, 400);
  EXPECT_EQ(ask("GET", in("/runs?limit=9999")).status, 400);
  EXPECT_EQ(ask("GET", in("/runs?color=red")).status, 400);
  EXPECT_EQ(ask("GET", in("/runs?limit=1&limit=2")).status, 400);
  EXPECT_EQ(ask("GET", in("/runs?client=%zz")).status, 400);
  EXPECT_EQ(ask("GET", in("/runs/run_9")).status, 404);
  EXPECT_EQ(ask("GET", in("/runs/run_1/trace")).status, 404);
  EXPECT_EQ(ask("GET", in("/nothing")).status, 404);
  EXPECT_EQ(ask("GET", in("/runs/a/b/trace")).status, 404);
  EXPECT_EQ(ask("DELETE", in("/runs")).status, 405);
  EXPECT_EQ(ask("GET", "/api/v1/workspaces/2/runs").status, 404);
  const auto wrong = ask("GET", in("/runs/run_9"));
  EXPECT_EQ(wrong.content_type, "application/problem+json");
  EXPECT_EQ(mcp::parse_object(wrong.body)->at("status"), 404);
}

TEST_P(ApiTest, CancelsARunOnce) {
  add_run("run_1", 1);
  EXPECT_EQ(ask("POST", in("/runs/run_1/cancel"), "{}", ApiRole::kApprover).status, 403);
  EXPECT_EQ(ask("POST", in("/runs/run_1/cancel"), "{}").status, 202);
  EXPECT_TRUE(store_->find_run("run_1").value()->cancel_asked);
  ASSERT_TRUE(store_->end_run("run_1", store::RunStatus::kCancelled, "{}", 2).ok());
  EXPECT_EQ(ask("POST", in("/runs/run_1/cancel"), "{}").status, 409);
}

TEST_P(ApiTest, AViewerSeesNothingPrivate) {
  add_run("run_1", 1, "return 'ann@example.com'");
  EXPECT_EQ(ask("GET", in("/runs/run_1"), "", ApiRole::kViewer).status, 403);
  EXPECT_EQ(ask("GET", in("/runs/run_1"), "", ApiRole::kApprover).status, 200);
}

TEST_P(ApiTest, ACodeIsExchangedForAToken) {
  const mcp::Caller anybody{.principal = "", .is_public = true};
  const auto exchange = [&](const char* body) { return api_->respond({anybody, "POST", "/api/v1/session", body}); };
  EXPECT_EQ(exchange(R"({"code":"wrong"})").status, 403);
  EXPECT_EQ(exchange("{}").status, 403);
  EXPECT_EQ(exchange("no JSON").status, 400);
  EXPECT_EQ(exchange(R"({"code":"right"})").body, R"({"token":"a-token"})");
  EXPECT_EQ(api_->respond({anybody, "GET", "/api/v1/workspaces/1/runs", ""}).status, 403);
}

TEST_P(ApiTest, TheDescriptionHasEveryRoute) {
  EXPECT_TRUE(Api::is_public("GET", "/api/v1/openapi.json"));
  const json::object document = get_json("/api/v1/openapi.json");
  const json::object& paths = document.at("paths").as_object();
  for (const Route& route : routes()) {
    const std::string path = "/api/v1/workspaces/{workspace}" + std::string(route.path);
    const std::string method = route.method == "GET" ? "get" : "post";
    ASSERT_TRUE(paths.contains(path)) << path;
    EXPECT_TRUE(paths.at(path).as_object().contains(method)) << method << " " << path;
  }
}

TEST_P(ApiTest, RulesAreThoseOfTheConfig) {
  const json::array rules = get_json(in("/rules")).at("rules").as_array();
  ASSERT_EQ(rules.size(), 2u);
  EXPECT_EQ(rules[0].at("pattern"), "bank:pay");
  EXPECT_EQ(rules[0].at("effect"), "ask");
  EXPECT_EQ(rules[1].at("effect"), "allow");
}

TEST_P(ApiTest, SaysWhatHappensToACallAndWhatARuleWouldAllow) {
  const auto post = [&](const char* path, const char* body) {
    return mcp::parse_object(ask("POST", in(path), body).body).value();
  };
  EXPECT_EQ(post("/rules/explain", R"({"tool":"bank:pay","arguments":{"sum":1}})").at("effect"), "ask");
  EXPECT_EQ(post("/rules/explain", R"({"tool":"bank:find"})").at("rule"), "bank:find");
  for (const char* wrong : {"{}", R"({"tool":"bank"})", R"({"tool":"bank:pay","arguments":[]})"})
    EXPECT_EQ(ask("POST", in("/rules/explain"), wrong).status, 400) << wrong;
  EXPECT_EQ(ask("POST", in("/rules/test"), R"({"pattern":"bank:("})").status, 400);

  const auto record = [](int call, const char* event, const char* tool, const std::string& arguments,
                         const char* verdict, const char* rule, bool whole = true) {
    return R"({"time":"2026-01-01T00:00:0)" + std::to_string(call) + R"(Z","event":")" + event +
           R"(","run":"run_1","call":)" + std::to_string(call) + R"(,"tool":")" + tool + R"(","argumentsDigest":")" +
           base::sha256_hex(whole ? arguments : "more") + R"(","arguments":)" + arguments + R"(,"verdict":")" +
           verdict + R"(","rule":")" + rule + "\"}\n";
  };
  std::ofstream(gateway::audit_log_path(folder_))
      << record(1, "call.begun", "bank:find", R"({"name":"ann"})", "allow", "bank:find")
      << record(2, "call.asked", "bank:pay", R"({"sum":1})", "ask", "bank:pay")
      << record(2, "call.begun", "bank:pay", R"({"sum":1})", "approved", "")
      << record(3, "call.denied", "bank:close", "{}", "deny", "bank:close")
      << record(4, "call.begun", "bank:pay", R"({"sum":"[redacted]"})", "approved", "", false);
  const json::object narrow = post("/rules/test", R"j({"pattern":"bank:pay(sum=1)"})j");
  EXPECT_EQ(narrow.at("checked"), 4);
  EXPECT_EQ(narrow.at("matched"), 1);
  EXPECT_EQ(narrow.at("unknown"), 1) << "what the log left out decides";
  EXPECT_EQ(narrow.at("calls").as_array().at(0).at("verdict"), "approved");
  EXPECT_EQ(post("/rules/test", R"({"pattern":"bank"})").at("matched"), 4);
  EXPECT_EQ(post("/rules/test", R"({"pattern":"shop"})").at("matched"), 0);
  const json::object usage = get_json(in("/rules/usage"));
  for (const json::value& rule : usage.at("rules").as_array()) EXPECT_EQ(rule.at("used"), 1) << json::serialize(rule);
}

TEST_P(ApiTest, TellsHowGatewaysStand) {
  store::NodeRecord node;
  node.id = "gone";
  ASSERT_TRUE(store_->join(node).ok());
  ASSERT_TRUE(store_->leave().ok());
  ASSERT_TRUE(store_->add_sample({"gone", base::now_ms(), R"({"calls":3})"}, 0).ok());
  const json::object metrics = get_json(in("/metrics"));
  EXPECT_EQ(metrics.at("series").as_array().at(0).at("points").as_array().at(0).at("calls"), 3);
  EXPECT_FALSE(metrics.at("series").as_array().at(0).at("lives").as_bool());
  EXPECT_TRUE(get_json(in("/gateways")).at("gateways").as_array().empty());
  add_run("run_1", 1);
  EXPECT_EQ(ask("POST", in("/runs"), R"({"code":"return 1"})").status, 409) << "no gateway runs";
  EXPECT_EQ(ask("POST", in("/runs"), R"({"code":"return 1"})", ApiRole::kApprover).status, 403);
  EXPECT_EQ(ask("GET", in("/tools/a%zz")).status, 400);
}

TEST_P(ApiTest, AYesCanBeTakenBackWhileNothingHasBegun) {
  add_run("run_1", 1);
  add_approval("run_1");
  const std::string digest(get_json(in("/approvals/ap_run_1")).at("digest").as_string());
  const auto post = [&](const std::string& decision, ApiRole role = ApiRole::kApprover) {
    return ask("POST", in("/approvals/ap_run_1"), R"({"decision":")" + decision + R"(","digest":")" + digest + "\"}",
               role)
        .status;
  };
  EXPECT_EQ(post("take_back"), 409) << "there is no yes";
  EXPECT_EQ(post("approve"), 200);
  EXPECT_TRUE(get_json(in("/approvals/ap_run_1")).at("canTakeBack").as_bool());
  EXPECT_EQ(post("take_back", ApiRole::kViewer), 403);
  EXPECT_EQ(post("take_back"), 200);
  const json::object after = get_json(in("/approvals/ap_run_1"));
  EXPECT_FALSE(after.at("calls").as_array().at(0).at("approved").as_bool());
  EXPECT_FALSE(after.at("canTakeBack").as_bool());
  EXPECT_EQ(post("approve"), 409) << "a no stays one";
}

// What a gateway of another process is asked goes through the store, and so does its answer.
TEST_P(ApiTest, AGatewayElsewhereRunsCode) {
  const auto gateways = open();
  store::NodeRecord node;
  node.id = "gw_1";
  ASSERT_TRUE(gateways->join(node).ok());
  EXPECT_EQ(ask("POST", in("/runs"), "{}").status, 409)
      << "it does not publish its state, so no one reads what it is asked";
  ASSERT_TRUE(gateways->set_status({"gw_1", 1, "{}"}).ok());
  EXPECT_EQ(ask("POST", in("/runs"), "{}").status, 409) << "it is dead";
  const auto lock = gateway::OwnerLock::take(folder_, "gw_1");
  ASSERT_TRUE(lock.ok()) << lock.failure().message;

  const auto asked = [&](const std::string& answer) {
    const auto reply = std::make_shared<mcp::HttpReply>(loop_.get_executor());
    EXPECT_TRUE(begin({caller(ApiRole::kOperator), "POST", in("/runs"), R"({"code":"return 1"})"}, reply));
    std::vector<store::NodeRequest> taken;
    run_until([&] {
      taken = gateways->take_node_requests("gw_1").value();
      return !taken.empty();
    });
    EXPECT_EQ(taken.size(), 1u);
    EXPECT_EQ(taken[0].kind, "execute");
    EXPECT_EQ(taken[0].who, "ann");
    const json::object about = mcp::parse_object(taken[0].about).value();
    EXPECT_EQ(about.at("wish").at("code"), "return 1");
    const std::string id(about.at("request").as_string());
    EXPECT_FALSE(reply->finished());
    const std::string status =
        R"({"answers":[{"request":"another","run":"x"},{"request":")" + id + "\"," + answer + "}]}";
    EXPECT_TRUE(gateways->set_status({"gw_1", 2, status}).ok());
    run_until([&] { return reply->finished(); });
    return std::pair(reply->status(), reply->take());
  };
  EXPECT_EQ(asked(R"("run":"run_7")"), std::pair(202, std::string(R"({"run":"run_7"})")));
  const auto [status, body] = asked(R"("problem":"too many","status":409)");
  EXPECT_EQ(status, 409);
  EXPECT_NE(body.find("too many"), body.npos);
}

TEST_P(ApiTest, FilesThatACallWouldWriteAreThoseOfTheWorkspace) {
  add_run("run_1", 1);
  std::ofstream(root_ + "/notes.txt") << "as it is";
  ASSERT_EQ(::symlink("/etc/hostname", (root_ + "/link").c_str()), 0);
  store::ApprovalRecord approval{"ap_1", "run_1", base::now_ms(), "tool_calls", "{}", {}, {}};
  const auto add = [&](const std::string& path) {
    const std::string arguments = json::serialize(json::object{{"path", path}, {"content", "new"}});
    approval.calls.push_back({approval.calls.size() + 1, "fs", "write_file", arguments, "h", std::nullopt, ""});
  };
  for (const char* path : {"notes.txt", "./notes.txt", "/etc/hostname", "../../etc/hostname", "link", "none.txt", ""})
    add(path);
  add(root_ + "/notes.txt");
  ASSERT_TRUE(store_->add_approval(approval).ok());
  const json::array files = get_json(in("/approvals/ap_1/files")).at("files").as_array();
  ASSERT_EQ(files.size(), 3u) << json::serialize(files);
  for (const json::value& file : files) EXPECT_EQ(file.at("text"), "as it is");
  EXPECT_EQ(ask("GET", in("/approvals/ap_1/files"), "", ApiRole::kViewer).status, 403);
}

TEST_P(ApiTest, AListOfRequestsCanBeShort) {
  add_run("run_1", 1);
  store::ApprovalRecord approval{"ap_1",
                                 "run_1",
                                 base::now_ms(),
                                 "tool_calls",
                                 R"({"need":"runs npx x","title":"pay","code":"long",)"
                                 R"("calls":[{"tool":"pay","description":"d"}]})",
                                 {},
                                 {}};
  ASSERT_TRUE(store_->add_approval(approval).ok());
  const json::value request = get_json(in("/approvals?short=1")).at("approvals").at(0).at("card");
  // Several are approved from a list: what a yes starts is there as well.
  EXPECT_EQ(json::serialize(request),
            R"({"need":"runs npx x","title":"pay","calls":[{"tool":"pay","description":"d"}]})");
  EXPECT_EQ(get_json(in("/approvals")).at("approvals").at(0).at("card").at("code"), "long");
  EXPECT_EQ(get_json(in("/approvals?short=1")).at("approvals").at(0).at("digest"),
            get_json(in("/approvals/ap_1")).at("digest"));
}

TEST_P(ApiTest, RunsAreFoundByTheirToolsAndRulesByWhoGaveThem) {
  add_run("run_1", 1);
  add_run("run_2", 2);
  std::ofstream(gateway::audit_log_path(folder_))
      << R"({"time":"2026-01-01T00:00:01Z","event":"approval.answered","approval":"ap_9","approver":"bob",)"
      << R"("scope":"always","rules":["bank:find"]})"
      << "\n"
      << R"({"time":"2026-01-01T00:00:02Z","event":"call.begun","run":"run_2","call":1,"tool":"bank:find",)"
      << R"("arguments":{},"verdict":"allow","rule":"bank:find"})"
      << "\n";
  const json::array runs = get_json(in("/runs?tool=bank.fi")).at("runs").as_array();
  ASSERT_EQ(runs.size(), 1u);
  EXPECT_EQ(runs[0].at("id"), "run_2");
  const json::array rules = get_json(in("/rules/usage")).at("rules").as_array();
  EXPECT_EQ(rules[1].at("by"), "bob");
  EXPECT_EQ(rules[1].at("since"), "2026-01-01T00:00:01Z");
  EXPECT_TRUE(rules[0].at("by").is_null());
  EXPECT_EQ(get_json(in("/audit?q=APPROVER")).at("records").as_array().size(), 1u);
  EXPECT_EQ(ask("GET", in("/runs/run_1/changes")).status, 404);
  EXPECT_EQ(ask("POST", in("/runs/run_1/changes"), R"({"decision":"commit"})").status, 404);
  EXPECT_EQ(ask("GET", in("/runs/run_1/case")).status, 404);
  EXPECT_EQ(ask("GET", in("/runs/..%2F..%2Fx/changes")).status, 404);
}

TEST_P(ApiTest, FollowersLearnThatSomethingChanged) {
  const auto reply = std::make_shared<mcp::HttpReply>(loop_.get_executor());
  ASSERT_TRUE(begin({caller(ApiRole::kViewer), "GET", "/api/v1/events", ""}, reply));
  const auto next = [&] {
    run_until([&] { return !reply->empty(); });
    return reply->take();
  };
  EXPECT_NE(next().find(R"(data: {"workspaces":["1"]})"), std::string::npos) << "the first comes at once";
  next();  // what the first poll of the store finds
  add_run("run_1", 1);
  EXPECT_NE(next().find("event: changed"), std::string::npos);
  reply->detach();
}

// Runs share the loop: whatever a person asks for, it goes on while the store stands still.
TEST_P(ApiTest, NoRouteMakesTheLoopWaitForTheStore) {
  std::promise<void> begun, go;
  store_->post([&](store::Store&) {
    begun.set_value();
    go.get_future().wait();
  });
  begun.get_future().wait();
  std::vector<std::pair<std::string, std::shared_ptr<mcp::HttpReply>>> asked;
  for (const Route& route : routes()) {
    std::string path(route.path);
    if (const std::size_t at = path.find("{id}"); at != path.npos) path.replace(at, 4, "none");
    const auto reply = std::make_shared<mcp::HttpReply>(loop_.get_executor());
    EXPECT_TRUE(begin({caller(ApiRole::kOperator), std::string(route.method), in(path), "{}"}, reply)) << path;
    asked.emplace_back(std::string(route.method) + " " + path, reply);
  }
  const auto events = std::make_shared<mcp::HttpReply>(loop_.get_executor());
  EXPECT_TRUE(begin({caller(ApiRole::kViewer), "GET", "/api/v1/events", ""}, events));
  // What needs no store is answered meanwhile. The rest waits, or is refused by a gateway that has noticed.
  EXPECT_EQ(ask("POST", in("/rules/explain"), R"({"tool":"bank:pay"})").status, 200);
  const auto waits = [&](const std::string& path) {
    const auto found = std::find_if(asked.begin(), asked.end(), [&](const auto& one) { return one.first == path; });
    return found != asked.end() && (!found->second->finished() || found->second->status() == 503);
  };
  for (const char* path : {"GET /runs", "GET /sessions", "GET /rules", "GET /workflows", "GET /gateways",
                           "GET /metrics", "GET /audit", "POST /approvals/none", "POST /runs/none/cancel", "POST /runs",
                           "POST /runs/none/changes", "POST /workflows/none/commands", "POST /workflows/none/fork"})
    EXPECT_TRUE(waits(path)) << path;
  go.set_value();
  for (const auto& one : asked) run_until([&] { return one.second->finished(); });
  events->detach();
}

TEST_P(ApiTest, AnotherConnectionsWritesAreNoticed) {
  const auto other = open();
  const std::string before = other->change_mark().value();
  EXPECT_EQ(other->change_mark().value(), before) << "nothing was written";
  add_run("run_1", 1);
  EXPECT_NE(other->change_mark().value(), before);
}

}  // namespace
}  // namespace glovebox::http_api
