// A gateway with tools of a test's own, and an engine on it, in a workspace that survives both.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <filesystem>
#include <fstream>

#include "gateway/direct/sandbox_runner.h"
#include "store/database/patience.h"
#include "store/memory_folder.h"
#include "workflow/engine.h"
#include "workflow/report.h"

namespace glovebox::workflow {

class FakeTools final : public catalog::ToolSource {
 public:
  explicit FakeTools(boost::asio::io_context& io) : io_(io) {}

  struct Made {
    std::string tool;
    std::string arguments;
    std::string key;
  };
  std::vector<ToolNamespace> namespaces() const override { return {{"fs", {}}}; }

  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server;
    found.name = tool;
    found.hash = "sha256-1";
    boost::asio::post(io_, [found = std::move(found), done = std::move(done)] {
      if (found.name == "missing") {
        done(catalog::CallFailure{"TOOL_NOT_FOUND", "fs has no tool missing; did you mean list?"});
      } else {
        done(found);
      }
    });
  }

  std::optional<catalog::CallFailure> why_not(const catalog::Tool&, const std::string& arguments) override {
    if (arguments.find("wrong") == arguments.npos) return std::nullopt;
    return catalog::CallFailure{"INVALID_ARGUMENTS", "/wrong is not known"};
  }

  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions options, Called done) override {
    const catalog::Tool& tool = call.tool();
    const std::string& arguments = call.arguments();
    made.push_back({tool.server + ":" + tool.name, arguments, options.idempotency_key});
    most_at_once = std::max(most_at_once, ++at_once);
    const std::string name = tool.name;
    auto end = [this, done = std::move(done), arguments, name] {
      --at_once;
      if (name == "fail" || failures > 0) {
        if (failures > 0) --failures;
        return done(catalog::CallFailure{"TOOL_ERROR", "it failed", true});
      }
      auto text = std::make_shared<std::string>(arguments);
      done(catalog::ToolResult{text, *text});
    };
    if (hold) {
      held.push_back(end);
    } else {
      boost::asio::post(io_, end);
    }
    return [] {};
  }

  std::vector<Made> made;
  std::vector<std::function<void()>> held;
  bool hold = false;
  int failures = 0;  // of the next calls
  int at_once = 0;
  int most_at_once = 0;

 private:
  boost::asio::io_context& io_;
};

class EngineTest : public ::testing::Test {
 protected:
  EngineTest() {
    char name[] = "/tmp/glovebox-engine-XXXXXX";
    root_ = ::mkdtemp(name);
    state_ = memory_ + "/.glovebox";
    options_.state_folder = state_;
    options_.workspace = root_;
    options_.times.gather = std::chrono::milliseconds(20);
    options_.times.poll = std::chrono::milliseconds(20);
    options_.rules = std::move(policy::ToolRules::parse({{"fs"}, {"fs:ask"}, {"fs:denied"}}, root_)).value();
    options_.idempotent = std::move(policy::ToolRules::parse({{"fs:list", "fs:flaky"}, {}, {}}, root_)).value();
    engine_options_.state_folder = state_;
    engine_options_.poll = std::chrono::milliseconds(20);
    engine_options_.sandbox_config = [](const json::object& asked, Language) -> Result<config::NarrowedSandbox> {
      SandboxConfig config;
      // Timeouts as long as a busy machine may need.
      config.timeout = config.rpc_timeout = std::chrono::minutes(10);
      if (const json::value* write = asked.if_contains("allowWrite")) {
        for (const json::value& path : write->get_array()) {
          if (path.get_string() == "/etc") return Failure{ErrorCode::kInvalidArgument, "\"/etc\" is not granted"};
          config.allow_write.emplace_back(path.get_string());
          config.allow_read.emplace_back(path.get_string());
        }
      }
      return config::NarrowedSandbox{config, {}};
    };
  }
  ~EngineTest() override {
    close();
    std::filesystem::remove_all(root_);
    std::filesystem::remove_all(memory_);
  }

  WorkflowEngine& engine() {
    if (engine_) return *engine_;
    stores_.push_back(std::move(store::Store::open(state_, store::RowKey{})).value());
    store_ = stores_.back().get();
    auto opened = gateway::Gateway::open(io_.get_executor(), *store_, tools_, runner_, options_);
    EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.failure().message);
    gateway_ = std::move(opened).value();
    engine_ = WorkflowEngine::open(io_.get_executor(), *store_, *gateway_, tools_, engine_options_);
    return *engine_;
  }
  void close() {
    if (engine_) engine_->close();
    engine_.reset();
    if (gateway_) gateway_->close();
    gateway_.reset();
    // Unanswered calls keep the parts of a gateway alive.
    tools_.held.clear();
    io_.poll();
    store_ = nullptr;
  }

  // The loop reaches the store through its queue, like every loop that serves others.
  template <typename Until>
  void run_until(Until until) {
    while (!until()) {
      const store::QueueOnly loop;
      io_.run_one_for(std::chrono::milliseconds(50));
    }
  }
  // What `begin` gets by its callback.
  template <typename T, typename Begin>
  Result<T> asked(Begin begin) {
    WorkflowEngine& opened = engine();
    std::optional<Result<T>> done;
    {
      const store::QueueOnly loop;
      begin(opened, [&](const Result<T>& given) { done = given; });
    }
    run_until([&] { return done.has_value(); });
    return *done;
  }

  Result<Definition, Problems> validate(const std::string& text) {
    std::optional<Result<Definition, Problems>> done;
    engine().validate(json::parse(text), [&](auto result) { done = std::move(result); });
    run_until([&] { return done.has_value(); });
    return std::move(*done);
  }
  Result<std::string> start(StartRequest request) {
    return asked<std::string>([&](auto& engine, const auto& done) { engine.start(std::move(request), done); });
  }
  Result<std::string> make_fork(const ForkRequest& request) {
    return asked<std::string>([&](auto& engine, const auto& done) { engine.fork(request, done); });
  }
  Result<bool> resume(const std::string& id) {
    return asked<bool>([&](auto& engine, const auto& done) { engine.resume(id, done); });
  }
  std::string start(const std::string& text, json::value input = json::object()) {
    auto definition = validate(text);
    EXPECT_TRUE(definition.ok()) << (definition ? "" : definition.failure().front().message);
    if (!definition) return "";
    StartRequest request;
    request.definition = std::move(definition).value();
    request.input = std::move(input);
    request.client = "test";
    auto id = start(std::move(request));
    EXPECT_TRUE(id.ok()) << (id ? "" : id.failure().message);
    return id ? id.value() : "";
  }
  store::WorkflowRecord record(const std::string& id) { return *store_->find_workflow(id).value(); }
  store::WorkflowStatus wait_for_end(const std::string& id) {
    run_until([&] { return store::has_ended(record(id).status); });
    return record(id).status;
  }
  void wait_for_status(const std::string& id, store::WorkflowStatus status) {
    run_until([&] { return record(id).status == status; });
  }
  json::value outcome(const std::string& id) { return json::parse(record(id).outcome); }
  std::string task_status(const std::string& id, const std::string& task) {
    const auto rows = store_->workflow_tasks(id);
    for (const auto& row : rows.value()) {
      if (row.id == task) return row.status;
    }
    return "";
  }
  std::vector<std::string> event_types(const std::string& id) {
    std::vector<std::string> types;
    std::int64_t number = 0;
    const auto events = store_->workflow_events_after(id, 0, 100000);
    for (const auto& event : events.value()) {
      EXPECT_EQ(event.number, ++number);
      types.push_back(event.type);
    }
    return types;
  }
  // A person's approval of the tasks that are next, as a payload.
  std::string yes_to(const std::string& id) {
    const auto report = report_on(*store_, id);
    if (!report) return "{}";
    for (const auto& wait : report->at("waitsFor").as_array()) {
      if (wait.at("kind").as_string() == "layer") return json::serialize(json::object{{"digest", wait.at("digest")}});
    }
    return "{}";
  }
  Result<void> command(const std::string& id, const std::string& type, const std::string& payload = "{}",
                       const std::string& channel = "cli") {
    store::WorkflowCommand command;
    command.workflow = id;
    command.type = type;
    command.payload = payload;
    command.who = "ann";
    command.channel = channel;
    return asked<void>([&](auto& engine, const auto& done) { engine.command(command, done); });
  }
  Result<void> roll_back(const std::string& id, std::int64_t checkpoint, const std::string& who,
                         const std::string& channel) {
    return asked<void>([&](auto& engine, const auto& done) { engine.roll_back(id, checkpoint, who, channel, done); });
  }

  // The parts of a gateway live as long as its last guest, and use its store until then.
  std::vector<std::unique_ptr<store::Store>> stores_;
  std::string root_;
  const std::string memory_ = store::make_memory_folder("engine");
  std::string state_;
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  FakeTools tools_{io_};
  Sandbox sandbox_;
  gateway::SandboxRunner runner_{sandbox_};
  gateway::GatewayOptions options_;
  EngineOptions engine_options_;
  store::Store* store_ = nullptr;
  std::shared_ptr<gateway::Gateway> gateway_;
  std::shared_ptr<WorkflowEngine> engine_;
};

}  // namespace glovebox::workflow
