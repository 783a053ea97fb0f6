#include "catalog/names.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace glovebox::catalog {
namespace {

TEST(Names, InCamelCase) {
  const struct {
    const char* name;
    const char* alias;
  } cases[] = {
      {"list_commits", "listCommits"},
      {"list-commits", "listCommits"},
      {"files.read_text", "filesReadText"},
      {"ListCommits", "listCommits"},
      {"_private_", "private"},
      {"get_2fa", "get2fa"},
      {"2fa", ""},
      {"a__b", "aB"},
      {"to_string", ""},  // every object has a toString
      {"__then__", ""},
      {"", ""},
      {"\xe6\x97\xa5", ""},
  };
  for (const auto& item : cases) EXPECT_EQ(camel_case(item.name), item.alias) << item.name;
}

TEST(Names, ThatCannotBeUsed) {
  for (const std::string name : {"", "__proto__", "constructor", "then", "toString", "a b", "a\nb", "a\x1b[2J",
                                 "a\xe2\x80\xae"
                                 "b",
                                 "a\xe2\x80\x8b"
                                 "b",
                                 "a\xc2\xa0"
                                 "b",
                                 "a\xef\xbb\xbf", "a\xf3\xa0\x81\x81", "a:b", "a*", "f(x)", "a\"b"})
    EXPECT_TRUE(why_no_tool_name(name)) << name;
  EXPECT_TRUE(why_no_tool_name(std::string(10'000, 'a')));
  for (const std::string name : {"a", "list_commits", "admin.tools/list", "caf\xc3\xa9", "\xf0\x9f\x98\x80", "proto"})
    EXPECT_FALSE(why_no_tool_name(name)) << name;
  EXPECT_FALSE(why_no_tool_name(std::string(256, 'a')));
}

std::string aliases(std::vector<std::string> names) {
  std::vector<Tool> tools;
  for (std::string& name : names) tools.push_back({.server = "s", .name = std::move(name)});
  assign_aliases(tools);
  std::sort(tools.begin(), tools.end(), [](const Tool& a, const Tool& b) { return a.name < b.name; });
  std::string all;
  for (const Tool& tool : tools) all += tool.name + "=" + tool.alias + " ";
  return all;
}

TEST(Names, CollideWithoutHarm) {
  // In any order.
  EXPECT_EQ(aliases({"read_file", "readFile", "x_y"}), "readFile= read_file= x_y=xY ");
  EXPECT_EQ(aliases({"readFile", "x_y", "read_file"}), "readFile= read_file= x_y=xY ");
  EXPECT_EQ(aliases({"read_file", "read-file"}), "read-file= read_file= ");
  EXPECT_EQ(aliases({"read-file", "read_file"}), "read-file= read_file= ");
}

TEST(Names, AreTheSameButForCaseAndSeparators) {
  EXPECT_TRUE(is_same_name("get-sum", "get_sum"));
  EXPECT_TRUE(is_same_name("API-get-user", "apiGetUser"));
  EXPECT_FALSE(is_same_name("get-sum", "get_sums"));
  EXPECT_FALSE(is_same_name("-", "_"));
}

TEST(Names, HaveOtherSpellings) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(spellings("get-sum"), (Texts{"get_sum", "getSum"}));
  EXPECT_EQ(spellings("API-get-user"), (Texts{"API_get_user", "api_get_user", "apiGetUser"}));
  EXPECT_EQ(spellings("getUser"), (Texts{"get_user"}));
  EXPECT_EQ(spellings("read_file"), (Texts{"readFile"}));
  EXPECT_EQ(spellings("echo"), Texts{});
  EXPECT_EQ(spellings("2fast"), Texts{});
}

TEST(Names, ThatAreMeantAreTold) {
  EXPECT_EQ(meant_among("ecko", {"echo", "text"}, "; it has "), "; did you mean echo?");
  EXPECT_EQ(meant_among("cat", {"echo", "text"}, "; it has "), "; it has echo, text");
  EXPECT_EQ(meant_among("cat", {}, "; it has "), "");
}

}  // namespace
}  // namespace glovebox::catalog
