#include "agent_tools/passed_on/offered_items.h"

#include <gtest/gtest.h>

namespace glovebox::agent_tools {
namespace {

TEST(OfferedItems, HaveTheServersNameInFront) {
  EXPECT_EQ(shown_prompt("git", R"({"name":"review","description":"d","arguments":[{"name":"a"}],"_meta":{"x":1}})"),
            R"({"name":"git/review","description":"d","arguments":[{"name":"a"}]})");
  EXPECT_EQ(shown_resource("files", R"({"uri":"file:///a","name":"a","size":3,"icons":[]})"),
            R"({"uri":"mcp://files/file:///a","name":"files/a","size":3})");
  EXPECT_EQ(shown_template("files", R"({"uriTemplate":"file:///{path}","name":"f"})"),
            R"({"uriTemplate":"mcp://files/file:///{path}","name":"files/f"})");
}

TEST(OfferedItems, WhatIsNoneIsLeftOut) {
  for (const char* item : {"", "[]", "{}", R"({"name":""})", R"({"name":1,"uri":"a:"})", R"({"name":"a"})",
                           R"({"name":"a","uri":""})", R"({"name":"a","uri":"x","name":"b")"})
    EXPECT_FALSE(shown_resource("s", item)) << item;
  EXPECT_FALSE(shown_prompt("s", R"({"name":")" + std::string(100'000, 'x') + "\"}"));
}

TEST(OfferedItems, NamesLeadBack) {
  EXPECT_EQ(prompt_named("git/a/b")->server, "git");
  EXPECT_EQ(prompt_named("git/a/b")->name, "a/b");
  EXPECT_EQ(resource_at("mcp://files/file:///a")->name, "file:///a");
  for (const char* name : {"", "git", "git/", "/a"}) EXPECT_FALSE(prompt_named(name)) << name;
  for (const char* uri : {"files/a", "mcp://", "mcp://files", "mcp://files/", "mcp:///a", "file:///a"})
    EXPECT_FALSE(resource_at(uri)) << uri;
}

TEST(OfferedItems, ContentsAreUnderOurUris) {
  EXPECT_EQ(resource_contents("s", R"([{"type":"resource","resource":{"uri":"a:b","text":"t"}}])"),
            R"({"contents":[{"uri":"mcp://s/a:b","text":"t"}]})");
  for (const char* blocks : {"null", "{}", R"([{"type":"text","text":"t"}])", R"([{"resource":{"text":"t"}}])", "[1]"})
    EXPECT_FALSE(resource_contents("s", blocks)) << blocks;
}

}  // namespace
}  // namespace glovebox::agent_tools
