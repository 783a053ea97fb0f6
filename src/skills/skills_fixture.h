// For tests: a workspace with a folder of skills, and a catalog with the real python3 at its other end.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/whole_file.h"
#include "catalog/call/call_fixture.h"
#include "catalog/catalog.h"
#include "config/config_file.h"

namespace glovebox::skills {

class SkillsFixture : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(::mkdtemp(root.data()));
    std::filesystem::create_directory(root + "/skills");
  }
  void TearDown() override {
    catalog.reset();
    std::filesystem::remove_all(root);
  }

  void skill(const std::string& file, const std::string& text) {
    // Replaced in one step, as editors do.
    std::ofstream(root + "/new", std::ios::trunc) << text;
    std::filesystem::rename(root + "/new", root + "/skills/" + file);
  }

  void others_may_write() { std::filesystem::permissions(root + "/skills", std::filesystem::perms::all); }

  // With timeouts as long as a busy machine may need.
  std::vector<config::ServerSpec> servers_of(const std::string& config_text) const {
    const auto config = config::parse_config(config_text, root + "/glovebox.json");
    EXPECT_TRUE(config.ok()) << config.failure().text();
    auto servers = config ? config->prepared_servers() : std::vector<config::ServerSpec>{};
    for (config::ServerSpec& server : servers) server.call_timeout = server.start_timeout = std::chrono::minutes(10);
    return servers;
  }

  void open(const std::string& config_text = R"({"skills": "./skills"})") {
    catalog.reset();
    catalog::CatalogOptions options;
    options.servers = servers_of(config_text);
    options.state_folder = options.lock_folder = root + "/.glovebox";
    options.workspace = root;
    catalog = catalog::Catalog::create(loop.get_executor(), std::move(options));
  }

  template <typename T>
  T wait(std::optional<T>& outcome) {
    while (!outcome) loop.run_one();
    return std::move(*outcome);
  }
  template <typename Condition>
  void wait_until(Condition condition) {
    while (!condition()) {
      boost::asio::steady_timer timer(loop.get_executor(), std::chrono::milliseconds(10));
      bool over = false;
      timer.async_wait([&](const boost::system::error_code&) { over = true; });
      while (!over) loop.run_one();
    }
  }

  std::vector<catalog::Tool> list(const std::string& server = "skills") {
    std::optional<Result<std::vector<catalog::Tool>, catalog::CallFailure>> outcome;
    catalog->list_tools(server, [&](auto tools) { outcome = std::move(tools); });
    auto tools = wait(outcome);
    EXPECT_TRUE(tools.ok()) << (tools ? "" : tools.failure().message);
    return tools ? std::move(tools).value() : std::vector<catalog::Tool>{};
  }
  Result<catalog::Tool, catalog::CallFailure> find(const std::string& server, const std::string& tool) {
    std::optional<Result<catalog::Tool, catalog::CallFailure>> outcome;
    catalog->find(server, tool, [&](auto found) { outcome = std::move(found); });
    return wait(outcome);
  }

  using Answer = std::optional<Result<catalog::ToolResult, catalog::CallFailure>>;
  // `answer` is set when the call has ended.
  void begin(const std::string& server, const std::string& tool, const std::string& arguments,
             std::shared_ptr<Answer> answer) {
    const auto found = find(server, tool);
    if (!found) {
      *answer = found.failure();
      return;
    }
    catalog->call(catalog::TestCalls::approved(*found, arguments), {},
                  [answer](auto result) { *answer = std::move(result); });
  }
  // The value as JSON, or "CODE: message"; then `failure` has the details.
  std::string call(const std::string& server, const std::string& tool, const std::string& arguments = "{}") {
    const auto answer = std::make_shared<Answer>();
    begin(server, tool, arguments, answer);
    return said(answer);
  }
  std::string said(const std::shared_ptr<Answer>& answer) {
    const auto result = wait(*answer);
    if (result) return std::string(result->json);
    failure = result.failure();
    return failure.code.text() + ": " + failure.message;
  }
  catalog::ServerHealth health() { return catalog->health().front(); }
  std::string log() { return base::read_whole_file(root + "/.glovebox/logs/skills.log", 1 << 24).value(); }

  std::string root = testing::TempDir() + "glovebox_skills_XXXXXX";
  boost::asio::io_context loop;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{loop.get_executor()};
  std::shared_ptr<catalog::Catalog> catalog;
  catalog::CallFailure failure;
};

}  // namespace glovebox::skills
