// A gateway with capabilities, for tests: one server whose tools give back what they get, and a real sandbox.
#pragma once

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/json.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "capability/calls/capability_tools.h"
#include "capability/scratch_state.h"
#include "gateway/direct/sandbox_runner.h"
#include "store/database/patience.h"
#include "store/store.h"

namespace glovebox::capability::testing {

// One server, `files`, whose tools give back what they get. Its execute_code is that of a gateway which does the same.
class EchoTools final : public catalog::ToolSource {
 public:
  explicit EchoTools(boost::asio::io_context& io) : io_(io) {}
  std::vector<ToolNamespace> namespaces() const override { return {{"files", {}}}; }
  void find(const std::string& server, const std::string& tool, Found done) override {
    boost::asio::post(io_, [server, tool, done = std::move(done)] {
      if (server != "files") return done(catalog::CallFailure{"SERVER_NOT_FOUND", "there is no server " + server});
      if (tool == "missing") return done(catalog::CallFailure{"TOOL_NOT_FOUND", "there is no tool " + tool});
      catalog::Tool found;
      found.server = server;
      found.name = tool;
      found.hash = "sha256-1";
      done(found);
    });
  }
  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions, Called done) override {
    return answer(call, std::move(done));
  }
  std::function<void()> answer(const catalog::PermittedCall& call, Called done) {
    const catalog::Tool& tool = call.tool();
    std::string arguments = call.arguments();
    made.push_back(tool.name + arguments);
    if (tool.name == "get_run")
      arguments = run_answer;
    else if (tool.name == "execute_code" && !remote_answer.empty())
      arguments = remote_answer;
    else if (tool.name == "execute_code")
      arguments =
          R"({"run_id":"run_1","result":)" + boost::json::serialize(boost::json::parse(arguments).at("context")) + "}";
    auto text = std::make_shared<std::string>(std::move(arguments));
    boost::asio::post(io_, [text, done = std::move(done)] { done(catalog::ToolResult{text, *text}); });
    return [] {};
  }
  std::vector<std::string> made;
  std::string remote_answer;  // of execute_code, instead
  std::string run_answer;     // of get_run

 private:
  boost::asio::io_context& io_;
};

class CapabilityFixture : public ScratchState {
 protected:
  CapabilityFixture() {
    store_ = std::move(store::Store::open(state, store::RowKey{})).value();
    options_.state_folder = state;
    options_.owners_folder = root + "/owner";
    options_.variables = [this](std::string_view name) -> std::optional<std::string> {
      const auto found = variables_.find(std::string(name));
      return found == variables_.end() ? std::nullopt : std::optional(found->second);
    };
    options_.is_configured = [](const std::string& name) { return name == "files"; };
    options_.is_server = [](const std::string& name) { return name == "files"; };
    options_.call_remote = [this](catalog::RemoteGatewayCall call, catalog::CallOptions, auto done) {
      return echo_.answer(call, std::move(done));
    };
    options_.on_servers_changed = [this] { ++servers_changed_; };
  }
  ~CapabilityFixture() override { close(); }

  void close() {
    gateway_.reset();
    tools_.reset();
  }
  void add(const std::string& name, const std::string& code, const std::string& more = "") {
    Library library(state);
    ASSERT_TRUE(library.refresh().ok());
    const Published one{metadata_of("acme.tools." + name + ".a7f3", code, more), code};
    const auto accepted = library.accept(one, library.compare(one));
    ASSERT_TRUE(accepted.ok()) << accepted.failure().message;
  }
  CapabilityTools& tools() {
    gateway();
    return *tools_;
  }
  gateway::Gateway& gateway() {
    if (gateway_) return *gateway_;
    tools_ = std::make_unique<CapabilityTools>(io_.get_executor(), echo_, options_);
    gateway::GatewayOptions options;
    options.state_folder = state;
    options.workspace = root;
    options.variables = options_.variables;
    options.times.poll = std::chrono::milliseconds(50);
    options.times.park_after = std::chrono::hours(1);
    options.now = now_;
    options.outage = outage_;
    options.report = [this](const std::string& to, const gateway::RunEnd& end) {
      reports_.emplace_back(to, end.outcome_json);
    };
    options.rules = std::move(policy::ToolRules::parse({allow_, {}, {}}, root)).value();
    auto opened = gateway::Gateway::open(io_.get_executor(), *store_, *tools_, runner_, std::move(options));
    EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.failure().message);
    gateway_ = std::move(opened).value();
    tools_->set_gateway(gateway_);
    return *gateway_;
  }
  // The loop reaches the store through its queue, like every loop that serves others.
  template <typename Until>
  void run_until(Until until) {
    while (!until()) {
      const store::QueueOnly loop;
      io_.run_one();
    }
  }
  // The ExecutionResult of code that is run as an agent's.
  boost::json::value run(const std::string& code, std::optional<std::vector<std::string>> tools = {}) {
    gateway::ExecuteRequest request;
    request.code = code;
    request.tools = std::move(tools);
    request.check = CheckMode::kOff;
    request.config.timeout = std::chrono::minutes(5);
    request.config.rpc_timeout = std::chrono::minutes(5);
    std::optional<std::string> outcome;
    gateway::RunEvents events;
    events.on_waiting = [this](const gateway::ApprovalRequest& approval) {
      requests_.push_back(approval);
      if (!answer_) return;
      gateway().answer({approval.id, {}, *answer_, store::Scope::kOnce, "", {}, "ann", "test"}, approval.run,
                       [](const Result<void>& given) { EXPECT_TRUE(given.ok()); });
    };
    events.on_end = [&](const gateway::RunEnd& end) { outcome = end.outcome_json; };
    const auto id = gateway().execute(std::move(request), std::move(events));
    EXPECT_TRUE(id.ok()) << (id ? "" : id.failure().message);
    run_until([&] { return outcome.has_value(); });
    return boost::json::parse(*outcome);
  }
  static std::string code_of(const boost::json::value& outcome) {
    const boost::json::value* error = outcome.get_object().if_contains("error");
    return error ? std::string(error->at("code").as_string()) : "";
  }
  static boost::json::value request_json(const gateway::ApprovalRequest& one) { return boost::json::parse(one.json); }

  boost::asio::io_context io_;
  Sandbox sandbox_{SandboxOptions{.pool_size = 1, .warm_typescript = false}};
  gateway::SandboxRunner runner_{sandbox_};
  EchoTools echo_{io_};
  std::unique_ptr<store::Store> store_;
  CapabilityOptions options_;
  std::unique_ptr<CapabilityTools> tools_;
  std::shared_ptr<gateway::Gateway> gateway_;
  std::map<std::string, std::string> variables_;
  std::vector<std::string> allow_ = {"*"};
  std::vector<gateway::ApprovalRequest> requests_;
  std::optional<bool> answer_ = true;
  int servers_changed_ = 0;
  std::function<std::int64_t()> now_;  // empty: the system's clock
  std::chrono::milliseconds outage_{600'000};
  std::vector<std::pair<std::string, std::string>> reports_;
};

}  // namespace glovebox::capability::testing
