// A gateway with workflows and tools that answer at once, for benchmarks.
#pragma once

#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "figures.h"
#include "gateway/direct/sandbox_runner.h"
#include "workflow/engine.h"

namespace glovebox::bench {

using Clock = std::chrono::steady_clock;
namespace json = boost::json;

inline double since(Clock::time_point then) {
  return std::chrono::duration<double, std::milli>(Clock::now() - then).count();
}

// Tools that answer at once.
class LocalTools final : public catalog::ToolSource {
 public:
  explicit LocalTools(boost::asio::io_context& io) : io_(io) {}
  std::vector<ToolNamespace> namespaces() const override { return {{"local", {}}}; }
  void find(const std::string& server, const std::string& tool, Found done) override {
    catalog::Tool found;
    found.server = server;
    found.name = tool;
    found.hash = "sha256-1";
    boost::asio::post(io_, [found, done = std::move(done)] { done(found); });
  }
  std::function<void()> call(catalog::ApprovedCall call, catalog::CallOptions, Called done) override {
    if (on_call) on_call();
    boost::asio::post(io_, [arguments = call.arguments(), done = std::move(done)] {
      auto text = std::make_shared<std::string>(arguments);
      done(catalog::ToolResult{text, *text});
    });
    return [] {};
  }
  std::function<void()> on_call;

 private:
  boost::asio::io_context& io_;
};

struct Bench {
  // Without an address, on SQLite in the folder.
  explicit Bench(std::string folder, std::size_t pool = 4, const std::string& address = "",
                 std::chrono::milliseconds lease = std::chrono::seconds(15))
      : root(std::move(folder)), sandbox(SandboxOptions{.pool_size = pool}) {
    gateway::GatewayOptions options;
    options.state_folder = root + "/.glovebox";
    options.workspace = root;
    options.lease = lease;
    options.rules = std::move(policy::ToolRules::parse({{"local"}, {}, {}}, root)).value();
    options.idempotent = std::move(policy::ToolRules::parse({{"local:list", "local:write"}, {}, {}}, root)).value();
    std::filesystem::create_directories(options.state_folder);
    store = std::move(address.empty() ? store::Store::open(options.state_folder, store::RowKey{})
                                      : store::Store::connect(address, store::RowKey{}))
                .value();
    gateway = std::move(gateway::Gateway::open(io.get_executor(), *store, tools, runner, options)).value();
    workflow::EngineOptions engine_options;
    engine_options.state_folder = options.state_folder;
    engine_options.sandbox_config = [](const json::object&, Language) -> Result<config::NarrowedSandbox> {
      return config::NarrowedSandbox{};
    };
    engine = workflow::WorkflowEngine::open(io.get_executor(), *store, *gateway, tools, engine_options);
  }
  ~Bench() {
    engine->close();
    gateway->close();
  }
  std::string start(const std::string& definition) {
    workflow::StartRequest request;
    request.definition = std::move(workflow::read_definition(json::parse(definition))).value();
    std::string id;
    engine->start(std::move(request), [&](const Result<std::string>& started) { id = started.value(); });
    while (id.empty()) io.run_one();
    return id;
  }
  template <typename Look>
  void until_ended(const std::string& id, Look look) {
    bool over = false;
    const auto feed = engine->follow(id, 0, [&](const store::WorkflowEvent& event) {
      over = over || event.type == "workflow_complete" || event.type == "workflow_abort";
      look(event);
    });
    while (!over) io.run_one();
    feed->stop();
  }

  std::string root;
  boost::asio::io_context io;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work{io.get_executor()};
  LocalTools tools{io};
  Sandbox sandbox;
  gateway::SandboxRunner runner{sandbox};
  std::unique_ptr<store::Store> store;
  std::shared_ptr<gateway::Gateway> gateway;
  std::shared_ptr<workflow::WorkflowEngine> engine;
};

struct Folder {
  Folder() : path(std::filesystem::absolute("workflow-bench-" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

inline void print(const char* what, Figures& figures) {
  std::printf("{\"figure\":\"%s\",\"values\":%s}\n", what, figures.json().c_str());
  std::fflush(stdout);
}

// Tasks that wait for nothing, so many at once.
inline std::string fan_of(std::size_t count, const std::string& tool = "local:list", std::size_t at_once = 8) {
  json::array tasks;
  for (std::size_t i = 0; i < count; ++i) {
    tasks.push_back(
        json::object{{"id", "t" + std::to_string(i)}, {"type", "mcp_tool"}, {"tool", tool}, {"arguments", {{"i", i}}}});
  }
  return json::serialize(json::object{{"concurrency", at_once}, {"tasks", std::move(tasks)}});
}

// The same calls, each made by code in a guest.
inline std::string code_fan_of(std::size_t count, const std::string& tool, std::size_t at_once = 8) {
  json::array tasks;
  for (std::size_t i = 0; i < count; ++i) {
    tasks.push_back(json::object{{"id", "t" + std::to_string(i)},
                                 {"type", "code_execution"},
                                 {"language", "javascript"},
                                 {"code", "return await mcp.local." + tool + "({i: " + std::to_string(i) + "})"}});
  }
  return json::serialize(json::object{{"concurrency", at_once}, {"tasks", std::move(tasks)}});
}

}  // namespace glovebox::bench
