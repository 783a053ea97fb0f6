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
  for (const char* line : {"Confinement layers\n", "  ok      user-namespace ", "  ok      seccomp ",
                           "  ok      landlock ", "  ok      run ", "Everything is in place.\n"}) {
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
  for (const char* list : {"layers", "dependencies"}) {
    for (const json::value& check : document.at(list).as_array()) {
      names.insert(std::string(check.at("name").as_string()));
      EXPECT_EQ(check.at("present"), true) << check;
      EXPECT_FALSE(check.at("detail").as_string().empty()) << check;
    }
  }
  for (const char* name : {"user-namespace", "seccomp", "landlock", "kernel", "run", "engine", "hardening"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST(Doctor, SaysWhatToDoAboutAMissingPart) {
  const TemporaryFolder folder;
  std::filesystem::copy_file(base::program_part("glovebox"), folder.path() + "/glovebox");
  ::chmod(folder.write("glovebox-engine", "not a program").c_str(), 0755);
  const Ended people = Command({"doctor"}).program(folder.path() + "/glovebox").run();
  EXPECT_EQ(people.code, 4);
  EXPECT_NE(people.out.find("  MISSING run "), std::string::npos) << people.out;
  EXPECT_NE(people.out.find("to do: "), std::string::npos) << people.out;
  const Ended program = Command({"doctor", "--json"}).program(folder.path() + "/glovebox").run();
  EXPECT_EQ(program.code, 4);
  const json::value document = json::parse(program.out);
  EXPECT_EQ(document.at("ok"), false);
  for (const json::value& check : document.at("dependencies").as_array()) {
    if (check.at("name") != "run") continue;
    EXPECT_EQ(check.at("present"), false);
    EXPECT_FALSE(check.at("remedy").as_string().empty());
  }
}

}  // namespace
}  // namespace glovebox::e2e
