// `glovebox doctor`: the machine that runs these tests has every layer, or the tests say which is missing.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <boost/json.hpp>
#include <filesystem>
#include <set>

#include "base/program_part.h"
#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

TEST(Doctor, ShowsATable) {
  const Ended ended = Command({"doctor"}).run();
  EXPECT_EQ(ended.code, 0) << ended.out;
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out.find("MISSING"), std::string::npos) << ended.out;
  for (const char* line :
       {"Confinement layers\n", "  ok      user-namespace ", "  ok      seccomp ", "  ok      landlock ",
        "  ok      TypeScript ", "  ok      JavaScript ", "  ok      Python ", "  ok      type check ",
        "  ok      tool types ", "  ok      tool search ", "  ok      store write ", "Everything works.\n"}) {
    EXPECT_NE(ended.out.find(line), std::string::npos) << line << "in\n" << ended.out;
  }
}

TEST(Doctor, PrintsOneObject) {
  const Ended ended = Command({"doctor", "--json"}).run();
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "");
  EXPECT_EQ(ended.out.find('\n'), ended.out.size() - 1);
  const json::value document = json::parse(ended.out);
  EXPECT_EQ(document.at("ok"), true);
  std::set<std::string> names;
  for (const char* list : {"layers", "dependencies", "trials"}) {
    for (const json::value& check : document.at(list).as_array()) {
      names.insert(std::string(check.at("name").as_string()));
      EXPECT_EQ(check.at("present"), true) << check;
      EXPECT_FALSE(check.at("detail").as_string().empty()) << check;
      EXPECT_FALSE(check.as_object().contains("remedy")) << check;
    }
  }
  for (const char* name : {"user-namespace", "seccomp", "landlock", "kernel", "TypeScript", "Python", "type check",
                           "tool types", "tool search", "store write", "engine", "hardening"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Doctor, SaysWhatToDoAboutAMissingPart) {
  const TemporaryFolder folder;
  const std::string glovebox = folder.copy_program();
  for (const char* part : {"libglovebox-guest.so", "libglovebox-guest.image"})
    std::filesystem::create_symlink(base::program_part(part), folder.path() + "/" + part);
  ::chmod(folder.write("glovebox-engine", "not a program").c_str(), 0755);
  ::chmod(folder.write("glovebox-gateway", "not a program").c_str(), 0755);
  const Ended people = Command({"doctor"}).program(glovebox).run();
  EXPECT_EQ(people.code, 4);
  EXPECT_NE(people.out.find("  MISSING TypeScript "), std::string::npos) << people.out;
  EXPECT_NE(people.out.find("  MISSING gateway "), std::string::npos) << people.out;
  const Ended program = Command({"doctor", "--json"}).program(glovebox).run();
  EXPECT_EQ(program.code, 4);
  const json::value document = json::parse(program.out);
  EXPECT_EQ(document.at("ok"), false);
  // Four trials, and one fix for all of them.
  ASSERT_EQ(document.at("fixes").as_array().size(), 1u) << program.out;
  EXPECT_EQ(document.at("fixes").at(0).at("for"), (json::array{"TypeScript", "JavaScript", "Python", "gateway"}))
      << program.out;
}

// Runs it where user namespaces are forbidden; `command` is a shell command that starts it there.
Ended doctor_without_user_namespaces(const std::string& command, const std::vector<std::string>& flags = {}) {
  std::vector<std::string> words = {"--user",
                                    "--map-root-user",
                                    "sh",
                                    "-c",
                                    "echo 0 >/proc/sys/user/max_user_namespaces && exec " + command,
                                    "sh",
                                    base::program_part("glovebox"),
                                    "doctor"};
  words.insert(words.end(), flags.begin(), flags.end());
  return Command(words).program("/usr/bin/unshare").run();
}

TEST(Doctor, SaysThatRootMakesTheNamespaces) {
  const Ended people = doctor_without_user_namespaces("\"$@\"");
  EXPECT_EQ(people.code, 0) << people.out;
  EXPECT_NE(people.out.find("user.max_user_namespaces is 0); root makes the others without it"), std::string::npos)
      << people.out;
}

// What is blocked is reported once, with the command that changes it; the rest is probed all the same.
TEST(Doctor, NamesWhatForbidsUserNamespaces) {
  const auto ended = [](const std::vector<std::string>& flags) {
    return doctor_without_user_namespaces("setpriv --bounding-set=-sys_admin \"$@\"", flags);
  };
  const Ended people = ended({});
  EXPECT_EQ(people.code, 4);
  const std::string command = "sudo sysctl -w user.max_user_namespaces=15000";
  const std::size_t first = people.out.find(command);
  ASSERT_NE(first, std::string::npos) << people.out;
  EXPECT_EQ(people.out.find(command, first + 1), std::string::npos) << people.out;
  const json::value document = json::parse(ended({"--json"}).out);
  const json::value& fix = document.at("fixes").at(0);
  EXPECT_EQ(fix.at("remedy").as_string(), command);
  EXPECT_EQ(fix.at("blocked_by"), "sysctl: user.max_user_namespaces is 0");
  EXPECT_GT(fix.at("for").as_array().size(), 6u);
  for (const json::value& trial : document.at("trials").as_array()) {
    if (trial.at("name") == "Python" || trial.at("name") == "store write")
      EXPECT_EQ(trial.at("present"), true) << trial;
  }
}

}  // namespace
}  // namespace glovebox::e2e
