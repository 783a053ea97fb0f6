#include "config/server_import.h"

#include <gtest/gtest.h>

namespace glovebox::config {
namespace {

TEST(ServerImport, TakesWhatWeKnowFromAllForms) {
  const auto import = servers_to_import(R"({
    // a comment
    "globalShortcut": "",
    "mcpServers": {"git hub": {"command": "npx", "args": ["-y", "x\u00e9"], "env": {"N": 1.5e3, "GITHUB_TOKEN": "ghp"},
                               "autoApprove": ["*"], "surprise": {}}},
    "servers": {"b": {"type": "http", "url": "https://x/mcp", "headers": {"A": "${input:key}"}}, "c": 5},
    "mcp": {"servers": {"d": {"command": "y", "disabled": true}}},
  })");
  ASSERT_TRUE(import.ok()) << import.failure().message;
  ASSERT_EQ(import->servers.size(), 3u);
  EXPECT_EQ(import->servers[0].name, "git hub");
  EXPECT_EQ(import->servers[0].json,
            R"({"command":"npx","args":["-y","x\u00e9"],"env":{"N":1.5e3,"GITHUB_TOKEN":"ghp"}})");
  EXPECT_EQ(import->servers[1].json, R"({"type":"http","url":"https://x/mcp","headers":{"A":"${input:key}"}})");
  EXPECT_EQ(import->servers[2].json, R"({"command":"y","disabled":true})");
  ASSERT_EQ(import->notes.size(), 5u);
  EXPECT_EQ(import->notes[0],
            "git hub: env.GITHUB_TOKEN looks like a secret in plain text; set a variable, and write \"${VARIABLE}\"");
  EXPECT_EQ(import->notes[1], "git hub: the key \"autoApprove\" is left out");
  EXPECT_EQ(import->notes[4], "c: is not an object, and is left out");
}

TEST(ServerImport, SaysWhatIsWrong) {
  EXPECT_FALSE(servers_to_import("{").ok());
  EXPECT_FALSE(servers_to_import("[]").ok());
  EXPECT_EQ(servers_to_import("{\"a\": 1}").failure().message,
            "there are no servers in it: no mcpServers, servers or mcp.servers");
}

}  // namespace
}  // namespace glovebox::config
