#include "policy/run_grants.h"

#include <gtest/gtest.h>

#include <map>

namespace glovebox::policy {
namespace {

// A machine where /bin is a link to /usr/bin, and rm and ls are names of one program.
std::optional<ProgramFile> find_here(const std::string& grant) {
  static const std::map<std::string, ProgramFile> programs = {
      {"git", {"/bin/git", "/usr/bin/git"}},   {"rm", {"/bin/rm", "/usr/bin/busybox"}},
      {"ls", {"/bin/ls", "/usr/bin/busybox"}}, {"./tool.sh", {"/project/tool.sh", "/project/tool.sh"}},
      {"/opt/x y", {"/opt/x y", "/opt/x y"}},  {"echo", {"/usr/bin/echo", "/usr/bin/coreutils", {"/bin/echo"}}},
  };
  const auto found = programs.find(grant);
  return found == programs.end() ? std::nullopt : std::optional(found->second);
}

RunGrants prepare(const std::vector<std::string>& grants) {
  auto prepared = RunGrants::prepare(grants, find_here);
  EXPECT_TRUE(prepared.ok());
  return std::move(prepared).value();
}

TEST(RunGrants, AreTheGrantsTextOrThePlaceOfTheProgram) {
  const struct {
    std::vector<std::string> grants;
    const char* program;
    const char* granted;  // by which grant
  } cases[] = {
      {{}, "git", nullptr},
      {{}, "", nullptr},
      {{"git"}, "git", "git"},
      {{"git"}, "/bin/git", "git"},
      {{"git"}, "/usr/bin/git", "git"},
      {{"git"}, "/usr/local/bin/git", nullptr},
      {{"git"}, "../bin/git", nullptr},
      {{"git"}, "/bin//git", nullptr},
      {{"git"}, "GIT", nullptr},
      {{"git"}, "git ", nullptr},
      {{"git"}, "rm", nullptr},
      {{"git"}, "", nullptr},
      {{"./tool.sh"}, "./tool.sh", "./tool.sh"},
      {{"./tool.sh"}, "/project/tool.sh", "./tool.sh"},
      {{"./tool.sh"}, "tool.sh", nullptr},
      {{"git", "rm"}, "rm", "rm"},
      {{"rm"}, "ls", nullptr},
      {{"rm"}, "/bin/ls", nullptr},
      {{"rm"}, "/usr/bin/busybox", "rm"},
      {{"/opt/x y"}, "/opt/x y", "/opt/x y"},
      {{"gone"}, "gone", "gone"},
      {{"echo"}, "/bin/echo", "echo"},
      {{"echo"}, "/bin/rm", nullptr},
  };
  for (const auto& item : cases) {
    const RunGrants grants = prepare(item.grants);
    const GrantedProgram* found = grants.find(item.program);
    ASSERT_EQ(found != nullptr, item.granted != nullptr) << item.program;
    EXPECT_EQ(found ? found->grant : "", item.granted ? item.granted : "");
  }
}

TEST(RunGrants, KnowThatAGrantedProgramIsNotThere) {
  EXPECT_FALSE(prepare({"gone"}).find("gone")->file);
  EXPECT_EQ(prepare({"rm"}).find("/usr/bin/busybox")->file->path, "/bin/rm") << "it still runs as rm";
}

TEST(RunGrants, RefuseWhatIsNotOneProgram) {
  const struct {
    std::string grant;
    const char* says;
  } cases[] = {
      {"", "allow run: \"\" is empty; write the name or the path of one program"},
      {"*", "is a wildcard, but programs are granted one by one"},
      {"git-*", "is a wildcard"},
      {"git status", "contains arguments, but a grant covers any arguments"},
      {std::string("a\0b", 3), "cannot be a program's name"},
  };
  for (const auto& item : cases) {
    const auto prepared = RunGrants::prepare({"git", item.grant}, find_here);
    ASSERT_FALSE(prepared.ok()) << item.grant;
    EXPECT_NE(prepared.failure().message.find(item.says), std::string::npos) << prepared.failure().message;
  }
}

TEST(RunGrants, DenyInDenosWords) {
  EXPECT_EQ(run_denial("rm"), "Requires run access to \"rm\"");
}

}  // namespace
}  // namespace glovebox::policy
