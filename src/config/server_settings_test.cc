#include "config/server_settings.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "config/config_file.h"

namespace glovebox::config {
namespace {

std::optional<std::string> token_variable(std::string_view name) {
  if (name == "TOKEN") return "t0k";
  return std::nullopt;
}

ServerSpec only_server(const std::string& text, const std::string& path = "w/glovebox.json") {
  const auto config = parse_config(text, path);
  EXPECT_TRUE(config.ok()) << config.failure().text();
  const auto servers = config->prepared_servers(token_variable);
  EXPECT_EQ(servers.size(), 1u);
  return servers.front();
}

std::string server_problems_of(const std::string& text) {
  const auto config = parse_config(text, "g.json");
  return config ? "" : config.failure().text();
}

TEST(ServerSettings, ReadsTheFormOfOtherClients) {
  const ServerSpec spec = only_server(R"({"mcpServers": {"git-hub": {
    "command": "npx", "args": ["-y", "x", "--token=${TOKEN}", ""], "env": {"A": "${TOKEN}!", "N": 5}, "cwd": "sub",
    "disabled": true, "autoApprove": ["*"], "idleTimeoutMs": 0,
    "callTimeoutMs": 7, "startTimeoutMs": 8, "restart": false
  }}})");
  EXPECT_EQ(spec.name, "git-hub");
  EXPECT_EQ(spec.declared, "");
  EXPECT_EQ(spec.command, "npx");
  EXPECT_EQ(spec.args, (std::vector<std::string>{"-y", "x", "--token=t0k", ""}));
  EXPECT_EQ(spec.env, (std::map<std::string, std::string>{{"A", "t0k!"}, {"N", "5"}}));
  EXPECT_EQ(spec.cwd, "w/sub");
  EXPECT_TRUE(spec.disabled);
  EXPECT_FALSE(spec.restart);
  EXPECT_EQ(spec.idle_timeout.count(), 0);
  EXPECT_EQ(spec.call_timeout->count(), 7);
  EXPECT_EQ(spec.start_timeout.count(), 8);
  EXPECT_EQ(spec.problem, "");
}

TEST(ServerSettings, ASecretNeedsTheIssuerThatItIsFor) {
  const auto read = parse_config(R"({"mcpServers": {"a": {"url": "https://x.example",
    "oauth": {"clientId": "c", "clientSecret": "s"}}}})",
                                 "/w/glovebox.json");
  ASSERT_FALSE(read.ok());
  EXPECT_NE(read.failure().text().find("\"issuer\": \"https://login.example.com\""), std::string::npos);
}

TEST(ServerSettings, ReadsVsCodeAndHttp) {
  const ServerSpec spec = only_server(R"({"inputs": [{"id": "t"}], "servers": {"My Server": {
    "type": "http", "url": "https://x.example/${TOKEN:-a}", "headers": {"Authorization": "Bearer ${env:TOKEN}"},
    "oauth": {"clientId": "c", "clientSecret": "${TOKEN}", "issuer": "https://id.example", "forItself": true}}}})");
  EXPECT_EQ(spec.name, "My_Server");
  EXPECT_EQ(spec.declared, "My Server");
  EXPECT_EQ(spec.url, "https://x.example/t0k");
  ASSERT_EQ(spec.headers.size(), 1u);
  EXPECT_EQ(spec.headers.front().second, "Bearer t0k");
  EXPECT_EQ(spec.oauth->client_secret, "t0k");
  EXPECT_TRUE(spec.oauth->for_itself);
  EXPECT_TRUE(spec.is_http());
}

TEST(ServerSettings, WhatIsMissingCostsThatServerAlone) {
  EXPECT_EQ(only_server(R"({"mcpServers": {"a": {"command": "x", "env": {"T": "${NOPE}"}}}})").problem,
            "the variable NOPE is not set");
  EXPECT_EQ(only_server(R"({"servers": {"a": {"command": "x", "args": ["${input:t}"]}}})").problem,
            "${input:t} asks a person, which is not possible here; use a variable: ${t}");
  EXPECT_NE(only_server(R"({"mcpServers": {"a": {"type": "sse", "url": "https://x/sse"}}})").problem.find("sse"),
            std::string::npos);
  EXPECT_NE(only_server(R"({"mcpServers": {"a": {"command": "x", "envFile": "none"}}})").problem.find("w/none"),
            std::string::npos);
}

TEST(ServerSettings, TakesVariablesFromAFile) {
  std::string folder = testing::TempDir() + "glovebox_servers_XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  std::ofstream(folder + "/.env") << "A=file\nB=${TOKEN}\n";
  const ServerSpec spec = only_server(
      R"({"mcpServers": {"a": {"command": "./x", "envFile": "${workspaceFolder}/.env", "env": {"A": "own"}}}})",
      folder + "/glovebox.json");
  EXPECT_EQ(spec.problem, "");
  EXPECT_EQ(spec.env, (std::map<std::string, std::string>{{"A", "own"}, {"B", "${TOKEN}"}}));
  EXPECT_EQ(spec.command, folder + "/./x");
  std::filesystem::remove_all(folder);
}

TEST(ServerSettings, SaysWhatIsWrong) {
  const struct {
    const char* text;
    const char* says;
  } cases[] = {
      {R"({"mcpServers": []})", "mcpServers must be an object"},
      {R"({"mcpServers": {"a": 5}})", "mcpServers.a must be an object"},
      {R"({"mcpServers": {"a": {}}})", "mcpServers.a needs a command or a url"},
      {R"({"mcpServers": {"a": {"command": "x", "url": "y"}}})", "has a command and a url"},
      {R"({"mcpServers": {"a": {"comand": "x"}}})", "mcpServers.a has no key \"comand\"; did you mean \"command\"?"},
      {R"({"mcpServers": {"a": {"command": "x", "args": "y"}}})", "must be a list; write [\"y\"]"},
      {R"({"mcpServers": {"a": {"command": "x", "env": {"A B": "y"}}}})", "not the name of a variable"},
      {R"({"mcpServers": {"a": {"url": "x", "headers": {"A B": "y"}}}})", "not the name of a header"},
      {R"({"mcpServers": {"a": {"command": "x", "type": "tcp"}}})", "must be \"stdio\", \"http\""},
      {R"({"mcpServers": {"__proto__": {"command": "x"}}})", "a server cannot have this name"},
      {R"({"mcpServers": {"": {"command": "x"}}})", "a server's name needs a letter"},
      {R"({"mcpServers": {"a b": {"command": "x"}, "a_b": {"command": "x"}}})", "the name a_b is taken"},
      {R"({"mcpServers": {"a": {"command": "x"}}, "servers": {"a": {"command": "x"}}})", "the name a is taken"},
      {R"({"mcpServer": {}})", "did you mean \"mcpServers\"?"},
      {R"({"permissions": {"alow": []}})", "permissions has no key \"alow\"; did you mean \"allow\"?"},
      {R"({"permissions": {"allow": [1]}})", "permissions.allow contains something that is not a string"},
      {R"({"approvals": {"agents": false}})", "approvals has no key \"agents\"; did you mean \"agent\"?"},
      {R"({"permission": {}})", "did you mean \"permissions\"?"},
      {R"({"http": {"listn": "x"}})", "did you mean \"listen\"?"},
      {R"({"limits": {"callsPerMinute": {"a": 0}}})", "limits.callsPerMinute must be a whole number"},
      {R"({"store": "x"})", "store must be an object"},
      {R"({"store": {"address": "mysql://h"}})", "store.address must be an object such as"},
      {R"({"shutdownGraceMs": -1})", "shutdownGraceMs must be a whole number"},
      {R"({"store": {"leaseSeconds": 1}})", "store.leaseSeconds must be 3 or more"},
  };
  for (const auto& item : cases)
    EXPECT_NE(server_problems_of(item.text).find(item.says), std::string::npos) << item.text << "\n"
                                                                                << server_problems_of(item.text);
}

TEST(GatewaySettings, AreRead) {
  const auto config = parse_config(R"({"permissions": {"allow": ["a"], "ask": ["b"], "deny": ["c"]},
    "store": {"path": "x.db"}, "http": {"listen": "127.0.0.1:1", "open": true, "allowedHosts": ["h"]},
    "limits": {"callsPerRun": 5, "callsPerMinute": {"github": 60}, "runs": 7, "runsPerClient": 3, "memoryMB": 1024,
      "waitingRunsPerClient": 9},
    "sandbox": {"rpcTimeoutMs": 9, "maxToolCalls": 3}, "approvals": {"agent": false},
    "answers": {"workflowTools": true, "resultBytes": 9}, "shutdownGraceMs": 0})",
                                   "g.json");
  ASSERT_TRUE(config.ok()) << config.failure().text();
  const GatewaySettings& gateway = config->gateway;
  EXPECT_EQ(gateway.permissions.ask, std::vector<std::string>{"b"});
  EXPECT_FALSE(gateway.approvals.agent);
  EXPECT_TRUE(GatewaySettings().approvals.agent);
  EXPECT_TRUE(gateway.answers.workflow_tools);
  EXPECT_EQ(gateway.answers.result_bytes, 9);
  EXPECT_EQ(gateway.store.path, "x.db");
  EXPECT_EQ(gateway.shutdown_grace.count(), 0);
  EXPECT_EQ(GatewaySettings().shutdown_grace, std::chrono::seconds(30));
  EXPECT_TRUE(gateway.http.open);
  EXPECT_EQ(gateway.limits.calls_per_run, 5);
  EXPECT_EQ(gateway.limits.calls_per_minute.at("github"), 60);
  EXPECT_EQ(gateway.limits.runs, 7);
  EXPECT_EQ(gateway.limits.runs_per_client, 3);
  EXPECT_EQ(gateway.limits.waiting_runs_per_client, 9);
  EXPECT_EQ(gateway.limits.memory_mb, 1024);
  EXPECT_EQ(config->sandbox.rpc_timeout, std::chrono::milliseconds(9));
  EXPECT_EQ(config->sandbox.max_tool_calls, 3u);
}

TEST(ConfigChange, LeavesABrokenFileAlone) {
  std::string folder = testing::TempDir() + "glovebox_change_XXXXXX";
  ASSERT_TRUE(::mkdtemp(folder.data()));
  const std::string path = folder + "/glovebox.json";
  const auto to = [](std::string text) {
    return [text](std::string_view) { return Result<std::string, JsonProblem>(text); };
  };
  EXPECT_TRUE(change_config_file(path, to("{\"store\": {}}")).ok());
  EXPECT_FALSE(change_config_file(path, to("{\"store\": 5}")).ok());
  EXPECT_TRUE(read_config_file(path).ok());
  std::ofstream(path) << "{broken";
  EXPECT_FALSE(change_config_file(path, to("{}")).ok());
  std::ifstream file(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(file), {}), "{broken");
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace glovebox::config
