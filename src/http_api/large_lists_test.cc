// Lists of what clients and repositories have made large.
#include "capability/library.h"
#include "capability/scratch_state.h"
#include "http_api/api_fixture.h"

namespace glovebox::http_api {
namespace {

class LargeListsTest : public ApiTest {};
INSTANTIATE_TEST_SUITE_P(On, LargeListsTest, testing::Values(store::Backend::kSqlite), store::backend_name);

// What clients make their runs of may be megabytes: a list has the beginnings of it, and its pages are bounded.
TEST_P(LargeListsTest, AListOfRunsIsSmallHoweverLargeTheyAre) {
  store::RunRecord run;
  run.context = run.config = "{}";
  for (int i = 1; i <= 4; ++i) {
    run.id = "run_" + std::to_string(i);
    run.created = i;
    run.code = "return '" + std::string(std::size_t{25} << 20, 'x') + "'";
    run.intent = i == 1 ? std::string(std::size_t{1} << 20, 'y') : "";
    ASSERT_TRUE(store_->add_run(run).ok());
  }
  const std::string outcome = R"({"result":null,"logs":["\"error\":{\"code\":\"WRONG\"}"],"trace":[{"error":"x"}],)"
                              R"("error":{"type":"RuntimeError","code":"THROWN","message":"m"},"degraded":[]})";
  ASSERT_TRUE(store_->end_run("run_4", store::RunStatus::kFailed, outcome, 9).ok());
  const auto first = ask("GET", in("/runs"));
  EXPECT_LT(first.body.size(), 8000u);
  const json::object page = mcp::parse_object(first.body).value();
  ASSERT_EQ(page.at("runs").as_array().size(), 3u) << "beyond 64 MB a page ends";
  EXPECT_EQ(page.at("next"), 2);
  EXPECT_EQ(page.at("runs").at(0).at("error"), "THROWN");
  EXPECT_TRUE(page.at("runs").at(1).at("error").is_null());
  const auto last = ask("GET", in("/runs?before=2"));
  EXPECT_LT(last.body.size(), 8000u);
  EXPECT_TRUE(mcp::parse_object(last.body)->at("next").is_null());
  EXPECT_EQ(get_json(in("/runs/run_1")).at("intent").as_string().size(), std::size_t{1} << 20) << "one run is whole";
}

// Requests of one client may be large and many: each page is bounded, and no request of another is left out.
TEST_P(LargeListsTest, AListOfRequestsIsReadPageByPage) {
  add_run("run_1", 1);
  const std::string code(std::size_t{6} << 20, 'x');
  for (int i = 1; i <= 5; ++i) {
    const std::string id = "ap_" + std::to_string(i);
    const std::string card = json::serialize(json::object{{"id", id}, {"code", i < 5 ? code : ""}});
    ASSERT_TRUE(store_->add_approval({id, "run_1", i, "tool_calls", card, {}, {}}).ok());
  }
  for (const char* form : {"", "&short=1"}) {
    std::string ids;
    std::string next = "first";
    for (std::string after; !next.empty(); after = "&after=" + next) {
      const auto page = ask("GET", in("/approvals?state=pending" + std::string(form) + after));
      ASSERT_EQ(page.status, 200) << page.body;
      EXPECT_LT(page.body.size(), std::size_t{24} << 20);
      const json::object parsed = mcp::parse_object(page.body).value();
      for (const json::value& one : parsed.at("approvals").as_array())
        ids += std::string(one.at("id").as_string()) + " ";
      next = parsed.at("next").is_null() ? "" : std::string(parsed.at("next").as_string());
      ids += next.empty() ? "" : "| ";
    }
    EXPECT_EQ(ids, "ap_1 ap_2 ap_3 | ap_4 ap_5 ") << form;
  }
  EXPECT_EQ(get_json(in("/approvals/ap_1")).at("card").at("code").as_string().size(), code.size()) << "one is whole";
  EXPECT_EQ(ask("GET", in("/approvals?after=x")).status, 400);
}

// What waits for a person is shown however many workflows another client has left waiting, or has run since.
TEST_P(LargeListsTest, NoClientHidesAnothersWaitingWorkflow) {
  const auto add = [&](const std::string& id, const std::string& client, store::WorkflowStatus status) {
    static std::int64_t created = 0;
    store::WorkflowRecord workflow;
    workflow.id = id;
    workflow.created = ++created;
    workflow.client = client;
    workflow.status = status;
    workflow.definition = workflow.input = workflow.config = "{}";
    store::WorkflowStep first;
    first.events = {{0, created, "workflow_start", "{}"}};
    first.checkpoint = store::WorkflowStep::Checkpoint{created, "entry", "", "", "{}"};
    ASSERT_TRUE(store_->create_workflow(workflow, first).ok());
  };
  add("wf_ann", "http:ann", store::WorkflowStatus::kWaiting);
  for (int i = 0; i < 12; ++i) {
    add("wf_eve" + std::to_string(i), "http:eve name-" + std::to_string(i), store::WorkflowStatus::kWaiting);
    add("wf_run" + std::to_string(i), "http:eve", store::WorkflowStatus::kRunning);
  }
  add("wf_bob", "http:bob", store::WorkflowStatus::kWaiting);
  const json::object page = get_json(in("/workflows?status=waiting&limit=4"));
  std::string ids;
  for (const json::value& one : page.at("workflows").as_array())
    ids += std::string(one.at("workflow_id").as_string()) + " ";
  EXPECT_EQ(ids, "wf_ann wf_eve0 wf_bob wf_eve1 ") << "the oldest of each, then the second of each";
  EXPECT_TRUE(page.at("more").as_bool());
  EXPECT_FALSE(get_json(in("/workflows?status=waiting")).at("more").as_bool());
  EXPECT_EQ(get_json(in("/workflows?limit=1")).at("workflows").at(0).at("workflow_id"), "wf_bob");
  EXPECT_EQ(ask("GET", in("/workflows?status=lost")).status, 400);
}

// mcp.lock, and the code that it names, may have come with a repository.
TEST_P(LargeListsTest, CapabilitiesAreReadUpToATotal) {
  const std::string folder = root_ + "/dot";
  capability::Library library(folder);
  for (int i = 10; i < 22; ++i) {
    const std::string number = std::to_string(i);
    const std::string code = "// " + std::string((std::size_t{2} << 20) - 1000, 'x') + "\nreturn " + number;
    const capability::Published one{capability::testing::metadata_of("acme.tools.math.add" + number + ".a7f3", code),
                                    code};
    ASSERT_TRUE(library.accept(one, library.compare(one)).ok());
  }
  lock_folder_ = folder;
  make_api();
  const auto response = ask("GET", in("/capabilities"));
  ASSERT_EQ(response.status, 200) << response.body;
  EXPECT_LT(response.body.size(), std::size_t{18} << 20);
  const json::array listed = mcp::parse_object(response.body)->at("capabilities").as_array();
  ASSERT_EQ(listed.size(), 12u) << "all are listed";
  std::size_t with_code = 0;
  for (const json::value& one : listed) {
    const bool has_code = one.as_object().contains("code");
    with_code += has_code ? 1 : 0;
    EXPECT_EQ(has_code, one.at("problem").is_null()) << one.at("fqdn");
  }
  EXPECT_EQ(with_code, 8u);
}

}  // namespace
}  // namespace glovebox::http_api
