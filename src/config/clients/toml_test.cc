#include "config/clients/toml.h"

#include <gtest/gtest.h>

namespace glovebox::config {
namespace {

std::string json(std::string_view toml) {
  const auto read = toml_to_json(toml);
  return read ? *read : "offset " + std::to_string(read.failure().offset) + ": " + read.failure().message;
}

TEST(Toml, ReadsWhatConfigFilesHave) {
  EXPECT_EQ(json("# a remark\nmodel = \"gpt\" # here too\nn = 1_000\nf = 1.5\nt = true\nd = 2026-01-02T03:04:05Z\n"),
            R"({"model":"gpt","n":1000,"f":1.5,"t":true,"d":"2026-01-02T03:04:05Z"})");
  EXPECT_EQ(json("[mcp_servers.\"a b\"]\ncommand = 'npx'\nargs = [\n  \"-y\", # package\n  \"x\\u00e9\",\n]\n"
                 "[mcp_servers.\"a b\".env]\nK = \"v\"\n[other]\nx.y = {a = 1, b = [2]}\n"),
            "{\"mcp_servers\":{\"a b\":{\"command\":\"npx\",\"args\":[\"-y\",\"xé\"],\"env\":{\"K\":\"v\"}}},"
            "\"other\":{\"x\":{\"y\":{\"a\":1,\"b\":[2]}}}}");
  EXPECT_EQ(json("[[p]]\na = 1\n[[p]]\na = 2\n"), R"({"p":[{"a":1},{"a":2}]})");
  EXPECT_EQ(json("t = \"\"\"\none\\\n   two\n[no.heading]\"\"\"\r\nu = '''a'b'''\n"),
            R"({"t":"onetwo\n[no.heading]","u":"a'b"})");
  EXPECT_EQ(json(""), "{}");
}

TEST(Toml, SaysWhatItDoesNotUnderstand) {
  EXPECT_EQ(json("a"), "offset 1: expected = after a key");
  EXPECT_EQ(json("a = "), "offset 4: expected a value");
  EXPECT_EQ(json("a = 1 b = 2"), "offset 6: unexpected text; a line ends after its value");
  EXPECT_EQ(json("a = 1\na = 2"), "offset 9: the key a appears twice");
  EXPECT_EQ(json("a = \"x\n"), "offset 6: a string is not closed");
  EXPECT_EQ(json("a = \"\\q\""), "offset 7: unknown escape");
  EXPECT_EQ(json("a = 1\n[a.b]\n"), "offset 11: a already exists and is not a table");
  EXPECT_NE(json("a = " + std::string(100000, '[')).find("nested too deep"), std::string::npos);
  EXPECT_NE(json("a = " + std::string(1000, '{')).find("expected a key"), std::string::npos);
}

TEST(Toml, TakesATableOutAndLeavesTheRest) {
  const std::string text =
      "model = \"m\"\n\n[mcp_servers.a]\ncommand = \"x\"\ninner = '''\n[mcp_servers.b]\n'''\n[mcp_servers.a.env]\nK = "
      "\"v\"\n\n# about b\n[mcp_servers.b]\ncommand = \"y\"\n";
  EXPECT_EQ(*without_toml_table(text, {"mcp_servers", "a"}),
            "model = \"m\"\n\n# about b\n[mcp_servers.b]\ncommand = \"y\"\n");
  EXPECT_EQ(*without_toml_table(text, {"mcp_servers", "c"}), text);
}

}  // namespace
}  // namespace glovebox::config
