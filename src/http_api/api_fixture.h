// The API on a store of its own, for tests.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <string>

#include "base/wall_clock.h"
#include "http_api/api.h"
#include "http_api/routes.h"
#include "mcp/json/json_tree.h"
#include "store/database/patience.h"
#include "store/store_fixture.h"

namespace glovebox::http_api {

namespace json = mcp::json;

class ApiTest : public store::StoreFixture {
 protected:
  void SetUp() override {
    StoreFixture::SetUp();
    if (IsSkipped()) return;
    store_ = open();
    make_api();
  }
  void make_api() {
    ApiOptions options;
    options.version = "1.2.3";
    options.workspaces.push_back({"1", "shop", root_, folder_, [this] { return Result<store::Store*>(store_.get()); },
                                  [] {
                                    return policy::ToolRules::parse({{"bank:find"}, {"bank:pay"}, {}}, "/");
                                  }});
    options.workspaces.back().lock_folder = lock_folder_;
    options.filter = [](const std::string&, std::string body) -> Result<std::string> {
      if (body.find("ann@example.com") != body.npos) return Failure{ErrorCode::kConflict, "PRIVACY_BLOCKED"};
      return body;
    };
    options.open_session = [](std::string_view code) -> std::optional<std::string> {
      return code == "right" ? std::optional<std::string>("a-token") : std::nullopt;
    };
    api_ = std::make_unique<Api>(loop_.get_executor(), std::move(options));
  }

  static mcp::Caller caller(ApiRole role) {
    mcp::Caller made{.principal = "ann"};
    made.is_operator = made.speaks_mcp = role == ApiRole::kOperator;
    made.answers = role >= ApiRole::kApprover;
    made.sees_runs = made.watches = role >= ApiRole::kViewer;
    return made;
  }

  bool begin(const mcp::PlainRequest& request, const std::shared_ptr<mcp::HttpReply>& reply) const {
    const store::QueueOnly loop;
    return api_->stream(request, reply);
  }
  mcp::PlainResponse ask(const std::string& method, const std::string& target, const std::string& body = "",
                         ApiRole role = ApiRole::kOperator) const {
    const mcp::PlainRequest request{caller(role), method, target, body};
    const auto reply = std::make_shared<mcp::HttpReply>(loop_.get_executor());
    if (!begin(request, reply)) return api_->respond(request);
    run_until([&] { return reply->finished(); });
    return {reply->status(), reply->take(), reply->content_type(), reply->head()};
  }
  // Like every loop that serves others.
  template <typename Until>
  void run_until(Until until) const {
    const auto more_to_come = boost::asio::make_work_guard(loop_);
    loop_.restart();
    while (!until()) {
      const store::QueueOnly loop;
      loop_.run_one();
    }
  }
  json::object get_json(const std::string& target) const {
    const auto response = ask("GET", target);
    EXPECT_EQ(response.status, 200) << target << response.body;
    auto parsed = mcp::parse_object(response.body);
    return parsed ? std::move(parsed).value() : json::object();
  }
  static std::string in(const std::string& path) { return "/api/v1/workspaces/1" + path; }

  void add_run(const std::string& id, std::int64_t created, const std::string& code = "return 1") {
    store::RunRecord run;
    run.id = id;
    run.created = created;
    run.code = code;
    run.language = "ts";
    run.context = "{}";
    run.config = "{}";
    run.client = "stdio";
    ASSERT_TRUE(store_->add_run(run).ok());
  }
  void add_approval(const std::string& run) {
    store::ApprovalRecord approval;
    approval.id = "ap_" + run;
    approval.run = run;
    approval.created = base::now_ms();
    approval.kind = "tool_calls";
    approval.card = R"({"id":"ap_)" + run + R"(","title":"pay"})";
    approval.calls.push_back({1, "bank", "pay", R"({"sum":1})", "hash", std::nullopt, ""});
    ASSERT_TRUE(store_->add_approval(approval).ok());
  }

  mutable boost::asio::io_context loop_;
  std::string lock_folder_;  // of capabilities; empty: there are none
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<Api> api_;
};

}  // namespace glovebox::http_api
