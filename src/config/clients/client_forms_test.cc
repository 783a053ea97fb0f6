#include "config/clients/client_forms.h"

#include <gtest/gtest.h>

#include "config/clients/server_import.h"

namespace glovebox::config {
namespace {

const std::vector<std::string> kCommand = {"glovebox", "serve", "--workspace", "/w"};

// What we write, in the client's own format, reads as a server.
TEST(ClientForms, WriteAnEntryThatClientsUnderstand) {
  for (const ClientForm& form : client_forms()) {
    const auto text = with_glovebox(form, "", {"other", "serve", "--workspace", "/w"}, {});
    ASSERT_TRUE(text.ok()) << form.name << text.failure().message;
    const auto read = servers_to_import(*text, std::string(form.user_file));
    ASSERT_TRUE(read.ok()) << form.name << ": " << read.failure().message << *text;
    ASSERT_EQ(read->servers.size(), 1u) << form.name;
    EXPECT_EQ(read->servers[0].name, "glovebox");
    EXPECT_EQ(read->servers[0].json, R"({"command":"other","args":["serve","--workspace","/w"]})") << form.name;
  }
}

TEST(ClientForms, TakeTheOldServersOutAndLeaveTheRest) {
  const auto json = with_glovebox(*find_client("cursor"),
                                  "{\n  // mine\n  \"mcpServers\": {\n    \"a\": {\"command\": \"x\"},\n    \"b\": "
                                  "{\"command\": \"y\"}\n  },\n  \"other\": 1\n}\n",
                                  kCommand, {"a"});
  ASSERT_TRUE(json.ok());
  EXPECT_EQ(json->find("\"a\""), std::string::npos) << *json;
  for (const char* kept : {"// mine", "\"b\"", "\"other\": 1", "\"glovebox\""})
    EXPECT_NE(json->find(kept), std::string::npos) << *json;
  const auto toml = with_glovebox(*find_client("codex"),
                                  "model = \"m\"\n[mcp_servers.a]\ncommand = \"x\"\n[mcp_servers.a.env]\nK = \"v\"\n"
                                  "[mcp_servers.b]\ncommand = \"y\"\n",
                                  kCommand, {"a"});
  ASSERT_TRUE(toml.ok());
  EXPECT_EQ(*toml,
            "model = \"m\"\n[mcp_servers.b]\ncommand = \"y\"\n\n[mcp_servers.glovebox]\ncommand = \"glovebox\"\n"
            "args = [\"serve\", \"--workspace\", \"/w\"]\n");
  EXPECT_EQ(*with_glovebox(*find_client("codex"), *toml, kCommand, {"a"}), *toml);
  EXPECT_FALSE(with_glovebox(*find_client("codex"), "mcp_servers = 1\n", kCommand, {}).ok());
  EXPECT_FALSE(with_glovebox(*find_client("cursor"), "{", kCommand, {}).ok());
}

TEST(ClientForms, ShowNoPrivateValues) {
  const std::string json = without_private_values(
      *find_client("cursor"),
      R"({"mcpServers": {"a": {"command": "npx", "args": ["sec"], "env": {"K": "sec"}}, "glovebox": {"url": "/w"}}})");
  EXPECT_EQ(
      json,
      R"({"mcpServers": {"a": {"command": "npx", "args": ["…"], "env": {"K": "…"}}, "glovebox": {"url": "/w"}}})");
  const std::string toml = without_private_values(
      *find_client("codex"),
      "[mcp_servers.a]\ncommand = \"npx\"\nargs = [\n  \"sec\",\n]\n[mcp_servers.glovebox]\nargs = [\"/w\"]\n");
  EXPECT_EQ(toml, "[mcp_servers.a]\ncommand = \"npx\"\nargs = …\n…\n…\n[mcp_servers.glovebox]\nargs = [\"/w\"]\n");
  EXPECT_EQ(without_private_values(*find_client("cursor"), "{ sec"), "…\n");
}

}  // namespace
}  // namespace glovebox::config
