#include "catalog/word_search.h"

#include <gtest/gtest.h>

namespace glovebox::catalog {
namespace {

Tool tool(std::string server, std::string name, std::string description) {
  Tool made;
  made.server = std::move(server);
  made.name = std::move(name);
  made.description = std::move(description);
  return made;
}

const std::vector<Tool> kTools = {
    tool("files", "read_file", "Reads the complete contents of a file"),
    tool("files", "write_file", "Writes text to a file"),
    tool("github", "listCommits", "Lists the commits of a branch"),
    tool("github", "create_issue", "Opens an issue in a repository"),
};

std::vector<std::string> names(std::string_view intent, std::size_t most = 10) {
  std::vector<std::string> list;
  for (const Found& found : search_words(kTools, intent, most)) list.push_back(kTools[found.index].name);
  return list;
}

TEST(WordSearch, CutsNamesIntoWords) {
  EXPECT_EQ(words_of("listCommits of_all HTTPServer2"),
            (std::vector<std::string>{"list", "commit", "of", "all", "httpserver2"}));
  EXPECT_EQ(words_of("Repositories, classes!"), (std::vector<std::string>{"repository", "classe"}));
}

TEST(WordSearch, FindsByNameBeforeDescription) {
  EXPECT_EQ(names("show me the commits").front(), "listCommits");
  EXPECT_EQ(names("write a file").front(), "write_file");
  EXPECT_EQ(names("file"), (std::vector<std::string>{"read_file", "write_file"}));
}

TEST(WordSearch, LeavesOutWhatHasNothingInCommon) {
  EXPECT_TRUE(names("send an email").empty());
  EXPECT_EQ(names("branch"), std::vector<std::string>{"listCommits"});
}

TEST(WordSearch, ListsAllWithoutAnIntent) {
  EXPECT_EQ(names(""), (std::vector<std::string>{"read_file", "write_file", "create_issue", "listCommits"}));
  EXPECT_EQ(names("", 2).size(), 2u);
}

TEST(WordSearch, ScoresAreAShareOfTheIntent) {
  const auto found = search_words(kTools, "list commits", 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_GT(found[0].score, 0.9);
  EXPECT_LE(found[0].score, 1.0);
}

}  // namespace
}  // namespace glovebox::catalog
