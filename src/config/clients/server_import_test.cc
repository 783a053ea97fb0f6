#include "config/clients/server_import.h"

#include <gtest/gtest.h>

namespace glovebox::config {
namespace {

ServerImport imported(std::string_view text, const std::string& path = "mcp.json", const std::string& project = {}) {
  auto import = servers_to_import(text, path, project);
  EXPECT_TRUE(import.ok()) << import.failure().message;
  return import ? std::move(import).value() : ServerImport();
}

TEST(ServerImport, TakesWhatWeKnowFromAllForms) {
  const ServerImport import = imported(R"({
    // a comment
    "globalShortcut": "",
    "mcpServers": {"git hub": {"command": "npx", "args": ["-y", "x\u00e9"], "env": {"N": 1.5e3, "MODE": "dev"},
                               "autoApprove": ["*"], "surprise": {}}},
    "servers": {"b": {"type": "http", "url": "https://x/mcp", "headers": {"A": "${input:key}"}}, "c": 5},
    "mcp": {"servers": {"d": {"command": "y", "disabled": true}}},
    "context_servers": {"e": {"source": "custom", "command": {"path": "z", "args": ["1"], "env": {"P": "/x"}}}},
  })");
  ASSERT_EQ(import.servers.size(), 4u);
  EXPECT_EQ(import.servers[0].name, "git hub");
  EXPECT_EQ(import.servers[0].json,
            "{\"command\":\"npx\",\"args\":[\"-y\",\"xé\"],\"env\":{\"N\":1.5e3,\"MODE\":\"dev\"}}");
  EXPECT_EQ(import.servers[1].json, R"({"type":"http","url":"https://x/mcp","headers":{"A":"${input:key}"}})");
  EXPECT_EQ(import.servers[2].json, R"({"command":"z","args":["1"],"env":{"P":"/x"}})");
  EXPECT_EQ(import.servers[3].json, R"({"command":"y","disabled":true})");
  ASSERT_EQ(import.notes.size(), 4u);
  EXPECT_EQ(import.notes[0], "git hub: the key \"autoApprove\" is left out");
  EXPECT_EQ(import.notes[3], "c: is not an object and was left out");
}

TEST(ServerImport, TakesNoVariableThatWouldBeSeveral) {
  const ServerImport import =
      imported(R"({"mcpServers": {"a": {"command": "x", "env": {"A_KEY='1'\nLD_PRELOAD": "/x y", "B_KEY": "b c"}}}})");
  ASSERT_EQ(import.servers.size(), 1u);
  EXPECT_EQ(import.servers[0].secrets, (std::map<std::string, std::string>{{"B_KEY", "b c"}}));
  EXPECT_EQ(import.servers[0].json, R"({"command":"x"})");
}

TEST(ServerImport, ReadsCodexAndOpenCode) {
  const ServerImport codex = imported(
      "model = \"m\"\n[mcp_servers.files]\ncommand = \"npx\"\nargs = [\"-y\", \"p\"]\nstartup_timeout_sec = 20\n"
      "[mcp_servers.web]\nurl = \"https://x/mcp\"\nbearer_token_env_var = \"WEB_TOKEN\"\nenabled = false\n",
      "/home/ada/.codex/config.toml");
  ASSERT_EQ(codex.servers.size(), 2u);
  EXPECT_EQ(codex.servers[0].json, R"({"command":"npx","args":["-y","p"],"startTimeoutMs":20000})");
  EXPECT_EQ(codex.servers[1].json,
            R"({"url":"https://x/mcp","headers":{"Authorization":"Bearer ${WEB_TOKEN}"},"disabled":true})");
  const ServerImport open_code = imported(
      R"({"mcp": {"a": {"type": "local", "command": ["npx", "-y", "p"], "environment": {"LEVEL": "info"}},
                  "b": {"type": "remote", "url": "https://x/mcp"}}})");
  ASSERT_EQ(open_code.servers.size(), 2u);
  EXPECT_EQ(open_code.servers[0].json, R"({"command":"npx","args":["-y","p"],"env":{"LEVEL":"info"}})");
  EXPECT_EQ(open_code.servers[1].json, R"({"type":"http","url":"https://x/mcp"})");
}

TEST(ServerImport, TakesOfClaudesProjectsTheOneThatIsMeant) {
  const char* text = R"({"projects": {"/w": {"mcpServers": {"a": {"command": "x"}}},
                                      "/v": {"mcpServers": {"b": {"command": "y"}, "c": {"command": "z"}}}}})";
  const ServerImport import = imported(text, ".claude.json", "/w");
  ASSERT_EQ(import.servers.size(), 1u);
  EXPECT_EQ(import.servers[0].name, "a");
  EXPECT_EQ(import.notes[0], "2 servers of other projects left out; import them in the folders that they are for");
}

TEST(ServerImport, TurnsOffWhatCannotBeReachedAndLeavesUsOut) {
  const ServerImport import = imported(R"({"mcpServers": {"old": {"type": "sse", "url": "https://x/sse"},
    "glovebox": {"command": "/opt/glovebox/bin/glovebox", "args": ["serve"]},
    "npx": {"command": "npx", "args": ["-y", "glovebox@0.2.0", "serve", "--workspace", "/home/ada/shop"]},
    "ssh": {"command": "ssh", "args": ["-T", "ada@box", "glovebox", "serve"]}}})");
  ASSERT_EQ(import.servers.size(), 1u);
  EXPECT_EQ(import.servers[0].json, R"({"type":"sse","disabled":true,"url":"https://x/sse"})");
  EXPECT_NE(import.notes[0].find("is turned off"), std::string::npos);
}

TEST(ServerImport, TakesWhatOnlyNamesUs) {
  const ServerImport import = imported(R"({"mcpServers": {
    "files": {"command": "npx", "args": ["-y", "server-filesystem", "/home/ada/glovebox"]},
    "notes": {"command": "notes", "args": ["--about", "glovebox"]}}})");
  EXPECT_EQ(import.servers.size(), 2u);
}

// Neither the config that we write nor our messages contain one.
TEST(ServerImport, KeepsSecretsApart) {
  const ServerImport import = imported(R"({"mcpServers": {
    "git-hub": {"command": "npx", "args": ["p", "--api-key", "sec-1", "--token=sec-2", "https://u:sec-3@h/"],
                "env": {"GITHUB_TOKEN": "sec-4", "LEVEL": "info", "ODD": "Sec5"}},
    "web": {"url": "https://x/mcp?key=sec-6", "headers": {"Authorization": "Bearer sec-7", "X": "${Y}"}},
    "own": {"command": "x", "envFile": "./.env", "env": {"PASSWORD": "sec-8"}},
    "lines": {"command": "x", "env": {"PEM": "sec\n9"}}}})");
  ASSERT_EQ(import.servers.size(), 4u);
  const ImportedServer& hub = import.servers[0];
  EXPECT_EQ(hub.json, R"({"command":"npx","args":["p","--api-key","${GIT_HUB_ARG3}","--token=${GIT_HUB_ARG4}",)"
                      R"("https://${GIT_HUB_ARG5}@h/"],"env":{"LEVEL":"info"}})");
  EXPECT_EQ(hub.secrets, (std::map<std::string, std::string>{{"GIT_HUB_ARG3", "sec-1"},
                                                             {"GIT_HUB_ARG4", "sec-2"},
                                                             {"GIT_HUB_ARG5", "u:sec-3"},
                                                             {"GITHUB_TOKEN", "sec-4"},
                                                             {"ODD", "Sec5"}}));
  EXPECT_EQ(import.servers[1].json, R"({"url":"https://x/mcp?key=${WEB_URL}",)"
                                    R"("headers":{"Authorization":"${WEB_AUTHORIZATION}","X":"${Y}"}})");
  EXPECT_TRUE(import.servers[2].secrets.empty());
  EXPECT_TRUE(import.servers[3].secrets.empty());
  for (const ImportedServer& server : import.servers)
    EXPECT_EQ(server.json.find("sec"), std::string::npos) << server.json;
  for (const std::string& note : import.notes) EXPECT_EQ(note.find("sec-"), std::string::npos) << note;
}

TEST(ServerImport, SaysWhatIsWrong) {
  EXPECT_FALSE(servers_to_import("{", "a.json").ok());
  EXPECT_FALSE(servers_to_import("[]", "a.json").ok());
  EXPECT_FALSE(servers_to_import("{}", "a.toml").ok());
  EXPECT_EQ(servers_to_import("{\"a\": 1}", "a.json").failure().message,
            "there are no servers in it: no mcpServers, servers, mcp.servers, context_servers or mcp");
}

}  // namespace
}  // namespace glovebox::config
