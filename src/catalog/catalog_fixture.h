// A catalog of real servers, which do what a test asks of them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <fstream>

#include "base/program_part.h"
#include "base/whole_file.h"
#include "catalog/call/call_fixture.h"
#include "catalog/catalog.h"

namespace glovebox::catalog {

namespace fs = std::filesystem;
using std::chrono::milliseconds;

class CatalogTest : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(::mkdtemp(root.data()));
    options.state_folder = options.lock_folder = root + "/.glovebox";
    options.workspace = root;
    options.limits.first_pause = milliseconds(50);
  }
  void TearDown() override {
    catalog.reset();
    fs::remove_all(root);
  }

  static ServerSpec liar(const std::string& name, std::vector<std::string> args = {}) {
    ServerSpec spec;
    spec.name = name;
    spec.command = base::program_part("liar_server");
    spec.args = std::move(args);
    // Unless a test is about timeouts: as long as a busy machine may take.
    spec.call_timeout = spec.start_timeout = std::chrono::minutes(10);
    return spec;
  }

  void open(std::vector<ServerSpec> servers) {
    catalog.reset();
    options.servers = std::move(servers);
    catalog = Catalog::create(loop.get_executor(), options);
  }

  template <typename T>
  T wait(std::optional<T>& outcome) {
    while (!outcome) loop.run_one();
    return std::move(*outcome);
  }
  void wait_for(milliseconds time) {
    boost::asio::steady_timer timer(loop.get_executor(), time);
    bool over = false;
    timer.async_wait([&](const boost::system::error_code&) { over = true; });
    while (!over) loop.run_one();
  }
  template <typename Condition>
  void wait_until(Condition condition) {
    while (!condition()) wait_for(milliseconds(10));
  }

  Result<std::vector<Tool>, CallFailure> list(const std::string& server) {
    std::optional<Result<std::vector<Tool>, CallFailure>> outcome;
    catalog->list_tools(server, [&](Result<std::vector<Tool>, CallFailure> tools) { outcome = std::move(tools); });
    return wait(outcome);
  }
  Result<Tool, CallFailure> find(const std::string& server, const std::string& tool) {
    std::optional<Result<Tool, CallFailure>> outcome;
    catalog->find(server, tool, [&](Result<Tool, CallFailure> found) { outcome = std::move(found); });
    return wait(outcome);
  }
  // The value as JSON, or "CODE: message".
  std::string call(const std::string& server, const std::string& tool, const std::string& arguments = "{}",
                   CallOptions call_options = {}) {
    const auto found = find(server, tool);
    if (!found) return found.failure().code.text() + ": " + found.failure().message;
    return call(*found, arguments, std::move(call_options));
  }
  std::string call(const Tool& tool, const std::string& arguments, CallOptions call_options = {}) {
    std::optional<Result<ToolResult, CallFailure>> outcome;
    catalog->call(TestCalls::approved(tool, arguments), std::move(call_options),
                  [&](Result<ToolResult, CallFailure> result) { outcome = std::move(result); });
    const auto result = wait(outcome);
    if (result) return std::string(result->json);
    sent = result.failure().sent;
    return result.failure().code.text() + ": " + result.failure().message;
  }
  ServerHealth health(const std::string& server) {
    for (ServerHealth& health : catalog->health())
      if (health.name == server) return health;
    return {};
  }
  std::string write(const std::string& name, const std::string& text) {
    std::ofstream(root + "/" + name, std::ios::trunc) << text;
    return root + "/" + name;
  }
  // The server has got these calls: its ledger, --ledger, has a line for each.
  void wait_for_calls(const std::string& lines) {
    wait_until([&] { return fs::exists(root + "/ledger") && read("ledger") == lines; });
  }
  std::string read(const std::string& name) { return base::read_whole_file(root + "/" + name, 1 << 24).value(); }

  std::string root = testing::TempDir() + "glovebox_catalog_XXXXXX";
  boost::asio::io_context loop;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{loop.get_executor()};
  CatalogOptions options;
  std::shared_ptr<Catalog> catalog;
  bool sent = false;
};

inline std::string one_tool(const std::string& description) {
  return R"([{"name":"read_it","description":")" + description + R"(","inputSchema":{"type":"object"}}])";
}

}  // namespace glovebox::catalog
