#include "terminal/command.h"

#include <gtest/gtest.h>

#include <vector>

#include "terminal/exit_codes.h"

namespace glovebox::cli {
namespace {

// A program with `look [--deep N]`, and `look closer --at X|Y` within it.
struct Looking {
  Looking() {
    program.require_subcommand();
    Command* look = program.add_subcommand("look", "Looks");
    look->add_option("--deep", deep, "So deep")->within(1, 9);
    look->runs([this] { return 10 + static_cast<int>(deep); });
    Command* closer = look->add_subcommand("closer", "Looks closer");
    at = closer->add_option("--at", target, "Where")->one_of({"x", "y"});
    closer->runs([this] { return at->was_given() ? 20 : 21; });
    program.add_subcommand("sleep", "Has nothing to run");
  }

  int run(std::vector<std::string> words) {
    words.insert(words.begin(), "looking");
    std::vector<char*> line;
    for (std::string& word : words) line.push_back(word.data());
    return program.parse_and_run(static_cast<int>(line.size()), line.data(),
                                 [this](const std::string& what, const std::string& command) {
                                   complaint = what + " (" + command + ")";
                                   return -1;
                                 });
  }

  Command program{"looking", "For tests.", "looking 1"};
  std::size_t deep = 0;
  std::string target, complaint;
  Option* at = nullptr;
};

TEST(Command, RunsTheInnermostOfTheLine) {
  EXPECT_EQ(Looking().run({"look", "--deep", "3"}), 13);
  EXPECT_EQ(Looking().run({"look", "closer"}), 21);
  EXPECT_EQ(Looking().run({"look", "closer", "--at", "y"}), 20);
  EXPECT_EQ(Looking().run({"sleep"}), kUsage);
}

TEST(Command, SaysWhatIsWrongWithTheLine) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> lines = {
      {{"listen"}, "there is no command listen (looking)"},
      {{"lok"}, "there is no command lok; did you mean look? (looking)"},
      {{"loko"}, "there is no command loko; did you mean look? (looking)"},
      {{}, "subcommand is required"},
      {{"look", "--deep", "10"}, "10 is not a number from 1 to 9"},
      {{"look", "closer", "--at", "z"}, "z not in"},
      {{"look", "--wide"}, "--wide (looking look)"},
      {{"look", "closer", "--wide"}, "--wide (looking look closer)"},
  };
  for (const auto& [words, what] : lines) {
    Looking looking;
    EXPECT_EQ(looking.run(words), -1);
    EXPECT_NE(looking.complaint.find(what), std::string::npos) << looking.complaint;
  }
}

TEST(Command, KnowsItsOptions) {
  Looking looking;
  Command* command = looking.program.add_subcommand("hear", "Hears");
  bool loud = false;
  std::string sound;
  const Option* flag = command->add_flag("--loud", loud, "Loud");
  command->add_option("-s,--sound", sound, "Which")->type_name("SOUND");
  EXPECT_EQ(*command->find_option("--loud"), *flag);
  EXPECT_FALSE(flag->takes_value());
  EXPECT_TRUE(command->find_option("-s")->takes_value());
  EXPECT_EQ(command->find_option("--sound")->type(), "SOUND");
  EXPECT_FALSE(command->find_option("--deep"));
}

}  // namespace
}  // namespace glovebox::cli
