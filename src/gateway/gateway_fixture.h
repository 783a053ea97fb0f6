// A gateway with real guests whose tools a test answers itself.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "base/wall_clock.h"
#include "gateway/counting_runner.h"
#include "gateway/gateway.h"
#include "store/database/patience.h"
#include "store/memory_folder.h"

namespace glovebox::gateway {

namespace json = boost::json;
using store::RunStatus;

// Tools that a test answers itself.
class FakeTools final : public catalog::ToolSource {
 public:
  explicit FakeTools(boost::asio::io_context& io) : io_(io) {}

  struct Made {
    std::string tool;
    std::string arguments;
  };
  std::vector<ToolNamespace> namespaces() const override { return {{"fs", {}}, {"gh", {}}}; }

  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server == "files" ? "fs" : server;
    found.name = tool == "writeFile" ? "write_file" : tool;
    found.hash = hash;
    found.description = description;
    found.annotations = R"({"readOnlyHint":true})";
    if (tool == "quarantined") found.state = catalog::Tool::State::kQuarantined;
    auto answer = [found = std::move(found), done = std::move(done)] {
      if (found.name == "missing") {
        done(catalog::CallFailure{"TOOL_NOT_FOUND", "there is no such tool"});
      } else if (found.name == "gone") {
        done(catalog::CallFailure{"SERVER_UNAVAILABLE", "cannot start /opt/server"});
      } else {
        done(found);
      }
    };
    if (tool != together) return boost::asio::post(io_, std::move(answer));
    found_together.push_back(std::move(answer));
    if (found_together.size() < how_many) return;
    together.clear();
    boost::asio::post(io_, [all = std::exchange(found_together, {})] {
      for (const auto& one : all) one();
    });
  }

  std::optional<catalog::CallFailure> why_not(const catalog::Tool&, const std::string& arguments) override {
    if (arguments.find("wrong") == arguments.npos) return std::nullopt;
    return catalog::CallFailure{"INVALID_ARGUMENTS", "/wrong is not known"};
  }

  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions options, Called done) override {
    ask = std::move(options.on_question);
    made.push_back({call.tool().server + ":" + call.tool().name, call.arguments()});
    most_at_once = std::max(most_at_once, ++at_once);
    auto end = [this, done = std::move(done), arguments = call.arguments()] {
      --at_once;
      if (arguments.find("fail") != arguments.npos) {
        return done(
            catalog::CallFailure{"TOOL_ERROR", "no /home/ada/x" + std::string(600, '.') + "\n    at f (a.js:1)", true});
      }
      auto text = std::make_shared<std::string>(arguments);
      done(catalog::ToolResult{text, *text});
    };
    if (hold) {
      held.push_back(end);
    } else if (pause.count() > 0) {
      const auto timer = std::make_shared<boost::asio::steady_timer>(io_, pause);
      timer->async_wait([timer, end](auto) { end(); });
    } else {
      boost::asio::post(io_, end);
    }
    return [] {};
  }

  std::vector<Made> made;
  std::vector<std::function<void()>> held;
  std::function<void(std::string_view, std::string_view, catalog::AnswerQuestion)> ask;  // as the server of the last
  bool hold = false;
  std::chrono::milliseconds pause{0};  // before each answer
  int at_once = 0;
  int most_at_once = 0;
  std::string hash = "sha256-1";
  std::string description;
  // Finds this many calls of this tool at once, a single time: so they join one approval request even on a busy
  // machine.
  std::string together;
  std::size_t how_many = 0;
  std::vector<std::function<void()>> found_together;

 private:
  boost::asio::io_context& io_;
};

class GatewayTest : public testing::Test {
 protected:
  GatewayTest() {
    char name[] = "/tmp/glovebox-gateway-XXXXXX";
    root_ = ::mkdtemp(name);
    state_ = memory_ + "/.glovebox";
    options_.state_folder = state_;
    options_.audit_log.key_path = root_ + "/key/audit.key";
    options_.workspace = root_;
    options_.times.gather = std::chrono::milliseconds(20);
    options_.times.poll = std::chrono::milliseconds(20);
    options_.times.park_after = std::chrono::hours(1);
    options_.times.restless_most = std::chrono::hours(1);
    store_ = std::move(store::Store::open(state_, store::RowKey{})).value();
  }
  ~GatewayTest() override {
    gateway_.reset();
    std::filesystem::remove_all(root_);
    std::filesystem::remove_all(memory_);
  }

  void permit(policy::PermissionTexts texts) {
    options_.rules = std::move(policy::ToolRules::parse(texts, root_)).value();
  }
  Gateway& gateway() {
    if (!gateway_) {
      auto opened = Gateway::open(io_.get_executor(), *store_, tools_, runner_, options_);
      EXPECT_TRUE(opened.ok()) << (opened ? "" : opened.failure().message);
      gateway_ = std::move(opened).value();
    }
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
  void turn(std::chrono::milliseconds time) {
    const store::QueueOnly loop;
    io_.run_for(time);
  }
  void find_together(const std::string& tool, std::size_t how_many) {
    tools_.together = tool;
    tools_.how_many = how_many;
  }

  std::string execute(const std::string& code, ExecuteRequest request = {}) {
    request.code = code;
    request.client = "test";
    request.session = session_;
    // Timeouts as long as a busy machine may need.
    request.config.timeout = request.config.rpc_timeout = std::chrono::minutes(10);
    RunEvents events;
    events.on_waiting = [this](const ApprovalRequest& approval) { requests_.push_back(approval); };
    events.on_end = [this](const RunEnd& end) { ends_[end.run] = end; };
    events.on_progress = [this](std::string_view message) { progress_.emplace_back(message); };
    events.on_log = [this](const LogLine& line) { logs_.push_back(line.text); };
    events.on_question = [this](auto, auto, catalog::AnswerQuestion given) { questions_.push_back(std::move(given)); };
    auto id = gateway().execute(std::move(request), std::move(events));
    EXPECT_TRUE(id.ok()) << (id ? "" : id.failure().message);
    return id ? id.value() : "";
  }
  json::value result_of(const std::string& run) {
    run_until([&] { return ends_.contains(run); });
    return json::parse(ends_[run].outcome_json);
  }
  void wait_for_requests(std::size_t count) {
    run_until([&] { return requests_.size() >= count; });
  }
  Result<AnswerReceipt> answer(const std::string& approval, bool approved, store::Scope scope = store::Scope::kOnce,
                               std::vector<std::uint64_t> calls = {}, std::string reason = "") {
    const ApprovalAnswer said{approval, std::move(calls), approved, scope, std::move(reason), {}, "ann", "test"};
    auto given = give_answer(*store_, said, options_.workspace, base::now_ms());
    gateway().poll();
    return given;
  }
  bool cancel(const std::string& run) {
    std::optional<bool> cancelled;
    gateway().cancel_run(run, [&](const Result<bool>& done) { cancelled = done.value(); });
    run_until([&] { return cancelled.has_value(); });
    return *cancelled;
  }
  CheckCode answers_check(CodeReport report) {
    return [this, report](const CodeToCheck&, auto done) { boost::asio::post(io_, [=] { done(report); }); };
  }
  std::vector<json::value> audit(std::string_view event) {
    std::ifstream file(state_ + "/audit.log");
    std::vector<json::value> found;
    for (std::string line; std::getline(file, line);) {
      auto record = json::parse(line);
      if (record.at("event").as_string() == event) found.push_back(std::move(record));
    }
    return found;
  }

  std::string root_;
  const std::string memory_ = store::make_memory_folder("gateway");
  std::string state_;
  std::string session_ = "s1";
  boost::asio::io_context io_;
  // Without work, the loop would return at once.
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  std::unique_ptr<store::Store> store_;
  FakeTools tools_{io_};
  Sandbox sandbox_;
  CountingRunner runner_{sandbox_};
  GatewayOptions options_;
  std::shared_ptr<Gateway> gateway_;
  std::vector<ApprovalRequest> requests_;
  std::vector<std::string> progress_;
  std::vector<std::string> logs_;
  std::vector<catalog::AnswerQuestion> questions_;  // of servers to the client
  std::map<std::string, RunEnd> ends_;
};

}  // namespace glovebox::gateway
