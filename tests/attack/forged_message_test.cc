// C05: bytes that native code puts between the tokens of a tool's arguments must not become a message of their own.
// JSON allows line breaks there, and a server over stdio reads a message per line: after one, a guest could call any
// tool of the server, past the policy. Here everything behind the guest is real: gateway, catalog, rules, server.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/program_part.h"
#include "base/source_folder.h"
#include "catalog/call/call_fixture.h"
#include "gateway/direct/sandbox_runner.h"
#include "gateway/gateway.h"

namespace glovebox::attack {
namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

class ForgedMessage : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(::mkdtemp(root_.data()));
    config::ServerSpec liar;
    liar.name = "liar";
    liar.command = base::program_part("liar_server");
    liar.args = {"--ledger", root_ + "/ledger"};
    catalog::CatalogOptions options;
    options.servers = {liar};
    options.state_folder = options.lock_folder = root_ + "/.glovebox";
    options.workspace = root_;
    catalog_ = catalog::Catalog::create(io_.get_executor(), options);
    store_ = std::move(store::Store::open(options.state_folder, store::RowKey{})).value();
  }
  void TearDown() override {
    catalog_.reset();
    std::filesystem::remove_all(root_);
  }

  // The names of the tools that were requested of the server, however the run ended.
  std::string tools_called_by(const std::string& arguments) {
    SandboxOptions sandbox_options;
    sandbox_options.guest_library_path = base::program_part("libglovebox-guest-probe.so");
    sandbox_options.pool_size = 0;
    Sandbox sandbox(std::move(sandbox_options));
    gateway::SandboxRunner runner(sandbox);
    gateway::GatewayOptions options;
    options.state_folder = root_ + "/.glovebox";
    options.workspace = root_;
    options.rules =
        std::move(policy::ToolRules::parse({.allow = {"liar:echo"}, .ask = {}, .deny = {"liar:count"}}, root_)).value();
    auto gateway = std::move(gateway::Gateway::open(io_.get_executor(), *store_, *catalog_, runner, options)).value();

    gateway::ExecuteRequest request;
    request.language = Language::kJavaScript;
    request.code = text_of(base::source_folder() + "/tests/attack/with/frames.js") +
                   R"(send(`{"frame":"call","id":1,"op":"tool","args":{"server":"liar","tool":"echo","arguments":)" +
                   arguments + "}}`);\ntake();\nreturn 1;";
    bool ended = false;
    const auto run = gateway->execute(request, {.on_log = {},
                                                .on_progress = {},
                                                .on_waiting = {},
                                                .on_end = [&](const gateway::RunEnd&) { ended = true; },
                                                .on_question = {}});
    EXPECT_TRUE(run.ok());
    while (!ended) io_.run_one();
    // The server handles its input in order: when this is answered, it has seen everything before.
    bool answered = false;
    catalog_->find("liar", "pid", [&](Result<catalog::Tool, catalog::CallFailure> found) {
      ASSERT_TRUE(found.ok());
      catalog_->call(catalog::TestCalls::approved(*found, "{}"), {}, [&](const auto&) { answered = true; });
    });
    while (!answered) io_.run_one();
    gateway->close();
    return text_of(root_ + "/ledger");
  }

  std::string root_ = "/tmp/glovebox-forged-XXXXXX";
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  std::shared_ptr<catalog::Catalog> catalog_;
  std::unique_ptr<store::Store> store_;
};

// In a template of the guest's code, so that \n and \r are the characters themselves.
const std::string kForged =
    R"({"jsonrpc":"2.0","id":77,"method":"tools/call","params":{"name":"count","arguments":{}}})";

TEST_F(ForgedMessage, BehindALineBreakIsNone) {
  EXPECT_EQ(tools_called_by(R"({"x":\n)" + kForged + R"(\n})"), "echo\npid\n");
}

TEST_F(ForgedMessage, BehindACarriageReturnIsNone) {
  EXPECT_EQ(tools_called_by(R"({"x":\r)" + kForged + R"(\r})"), "echo\npid\n");
}

TEST_F(ForgedMessage, BehindManyIsNone) {
  EXPECT_EQ(tools_called_by(R"({"x":[1,\r\n\n)" + kForged + R"(\n\r\n,2]})"), "echo\npid\n");
}

}  // namespace
}  // namespace glovebox::attack
