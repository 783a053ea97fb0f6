// A folder of Python skills as its owner and an agent's code use it.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <filesystem>
#include <fstream>

#include "base/source_folder.h"
#include "command.h"
#include "config/state/state_folder.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;
namespace fs = std::filesystem;

class Skills : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directory(folder.path() + "/skills");
    folder.write("skills/tools.py", R"py(
import os

class TimeSkill:
    def get_current_time(self, timezone: str = "UTC") -> str:
        """The time now."""
        return "12:00 " + timezone

    def fail(self, name: str) -> str:
        return open("/no/such/place/" + name).read()

class FileSkill:
    def touch(self) -> None:
        """Leaves a trace."""
        open(os.path.join(os.path.dirname(__file__), "..", "touched"), "w").close()

    def leave(self) -> None:
        os._exit(3)
)py");
    folder.write("skills/broken.py", "class (\n");
    folder.write("glovebox.json", R"({
      "skills": "./skills", // ours
      "permissions": {"allow": ["TimeSkill:*", "FileSkill:leave"], "deny": ["FileSkill:touch"]}
    })");
  }

  Ended run(std::vector<std::string> arguments) const {
    return Command(std::move(arguments)).folder(folder.path()).run();
  }
  json::value run_json(std::vector<std::string> arguments, int code = 0) const {
    arguments.push_back("--json");
    const Ended ended = run(std::move(arguments));
    EXPECT_EQ(ended.code, code) << ended.out << ended.err;
    boost::system::error_code error;
    json::value document = json::parse(ended.out, error);
    EXPECT_FALSE(error) << ended.out;
    return document;
  }
  json::value exec(const std::string& code, int exit_code = 0) const {
    return run_json({"exec", "-e", code, "--config", "glovebox.json"}, exit_code);
  }
  std::string state_text(const std::string& name) const {
    std::ifstream file(config::find_state_folder(fs::canonical(folder.path())).value().path + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string text(const std::string& name) const {
    std::ifstream file(folder.path() + "/" + name);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  TemporaryFolder folder;
};

TEST_F(Skills, AreListedCalledAndApprovedLikeAnyServer) {
  const Ended listed = run({"tools", "ls"});
  EXPECT_EQ(listed.code, 0) << listed.err;
  for (const char* name : {"TimeSkill.get_current_time ", "TimeSkill.fail", "FileSkill.touch", "FileSkill.leave"})
    EXPECT_NE(listed.out.find(name), std::string::npos) << listed.out;
  EXPECT_EQ(run_json({"tools", "call", "TimeSkill.getCurrentTime", "--args", R"({"timezone":"CET"})"}).at("result"),
            "12:00 CET");
  EXPECT_EQ(run_json({"tools", "ls", "--server", "TimeSkill"}).at("tools").as_array().size(), 2u);

  const Ended servers = run({"server", "ls"});
  EXPECT_NE(servers.out.find("skills in ./skills"), std::string::npos) << servers.out;
  EXPECT_NE(servers.out.find("  4 tools"), std::string::npos) << servers.out;
  EXPECT_NE(servers.out.find("broken.py: SyntaxError"), std::string::npos) << servers.out;
  EXPECT_EQ(run_json({"server", "test", "skills"}).at("servers").at(0).at("tools"), 4);

  // The owner's own edit needs no approval; one in a folder where others may write does.
  folder.write("skills/tools.py", "class TimeSkill:\n  def get_current_time(self) -> str: return 'noon'\n");
  EXPECT_EQ(run_json({"tools", "call", "TimeSkill.get_current_time"}).at("result"), "noon");
  std::filesystem::permissions(folder.path() + "/skills", std::filesystem::perms::all);
  folder.write("skills/tools.py", "class TimeSkill:\n  def get_current_time(self) -> int: return 12\n");
  EXPECT_EQ(run_json({"tools", "call", "TimeSkill.get_current_time"}, 7).at("error").at("code"), "TOOL_QUARANTINED");
  const Ended yes =
      Command({"tools", "approve", "TimeSkill.get_current_time"}).at_terminal().folder(folder.path()).run();
  EXPECT_EQ(yes.code, 0) << yes.err;
  EXPECT_EQ(run_json({"tools", "call", "TimeSkill.get_current_time"}).at("result"), 12);

  EXPECT_NE(text(".glovebox/mcp.lock").find("TimeSkill.get_current_time"), std::string::npos);
  EXPECT_EQ(run({"server", "rm", "skills"}).code, 0);
  EXPECT_EQ(text("glovebox.json").find("./skills"), std::string::npos);
  EXPECT_EQ(text(".glovebox/mcp.lock").find("TimeSkill.get_current_time"), std::string::npos);
  EXPECT_EQ(run_json({"server", "ls"}).at("servers").as_array().size(), 0u);
}

TEST_F(Skills, CodeCallsThemByTheirClass) {
  EXPECT_EQ(exec("mcp.TimeSkill.get_current_time()").at("result"), "12:00 UTC");
  // Now that they are known, they are global names, too.
  EXPECT_EQ(exec("TimeSkill.getCurrentTime({ timezone: 'CET' })").at("result"), "12:00 CET");
  const json::value found = exec(
      "const found = await mcp.skills.search_skills({ query: 'time' });"
      "const all = await mcp.skills.search_skills();"
      "const one = await mcp.skills.describe_function({ path: found[0].path });"
      "return { found, all: all.map((skill) => skill.path), one }");
  const json::value& result = found.at("result");
  EXPECT_EQ(result.at("found").at(0).at("path"), "TimeSkill.get_current_time");
  EXPECT_EQ(result.at("found").at(0).at("signature"), "get_current_time(timezone: str = 'UTC') -> str");
  EXPECT_EQ(result.at("found").at(0).at("summary"), "The time now.");
  EXPECT_EQ(result.at("one").at("docstring"), "The time now.");
  // What the rules deny is not offered.
  EXPECT_EQ(result.at("all"), json::parse(R"(["FileSkill.leave","TimeSkill.fail","TimeSkill.get_current_time"])"));
  EXPECT_NE(state_text("audit.log").find("\"skills:search_skills\""), std::string::npos);
}

TEST_F(Skills, ADeniedMethodIsNeverCalled) {
  const json::value denied = exec("mcp.FileSkill.touch()", 7).at("error");
  EXPECT_EQ(denied.at("code"), "PERMISSION_DENIED");
  EXPECT_EQ(denied.at("message"),
            "PermissionDenied: Requires tool access to \"FileSkill:touch\": denied by the rule \"FileSkill:touch\"");
  EXPECT_FALSE(fs::exists(folder.path() + "/touched"));
  // Without the rule it leaves a trace.
  EXPECT_EQ(run({"tools", "call", "FileSkill.touch"}).code, 0);
  EXPECT_TRUE(fs::exists(folder.path() + "/touched"));
}

TEST_F(Skills, ErrorsTellAgentsLittleAndTheOwnerAll) {
  const json::value failed = exec(
      "const error = await mcp.TimeSkill.fail({ name: 'a b' }).catch((error) => error);"
      "return [error.name, error.code, error.message]");
  EXPECT_EQ(failed.at("result"),
            json::parse(R"(["MCPToolError","TOOL_ERROR",)"
                        R"("Skill error: FileNotFoundError: [Errno 2] No such file or directory: '<path>'"])"));
  EXPECT_EQ(json::serialize(failed).find("/no/such"), std::string::npos);
  for (const char* where : {"audit.log", "logs/skills.log"}) {
    EXPECT_NE(state_text(where).find("/no/such/place/a b"), std::string::npos) << where;
    EXPECT_NE(state_text(where).find("tools.py"), std::string::npos) << where;
  }
  EXPECT_EQ(run({"audit", "verify"}).code, 0);
}

TEST_F(Skills, ACrashIsOneCallsFailure) {
  const json::value after = exec(
      "const error = await mcp.FileSkill.leave().catch((error) => error.code);"
      "return [error, await mcp.TimeSkill.get_current_time()]");
  EXPECT_EQ(after.at("result"), json::parse(R"(["SERVER_UNAVAILABLE","12:00 UTC"])"));
}

TEST_F(Skills, NoRunWritesIntoTheirFolder) {
  fs::create_directory(folder.path() + "/out");
  fs::create_directory_symlink("../skills", folder.path() + "/out/link");
  const std::string code =
      "const tried = [];"
      "for (const path of ['skills/evil.py', 'out/link/evil.py', 'out/fine.txt', 'fine.txt']) {"
      "  try { await Deno.writeTextFile(path, 'import os'); tried.push('written'); }"
      "  catch (error) { tried.push(error.name); }"
      "}"
      "return tried";
  const Ended ended = run({"exec", "-e", code, "--config", "glovebox.json", "--allow-write=.,./out", "--json"});
  EXPECT_EQ(json::parse(ended.out).at("result"),
            json::parse(R"(["PermissionDenied","PermissionDenied","written","written"])"))
      << ended.out;
  EXPECT_FALSE(fs::exists(folder.path() + "/skills/evil.py"));
  // Without skills the grant applies.
  folder.write("glovebox.json", "{}");
  EXPECT_EQ(run({"exec", "-e", code, "--config", "glovebox.json", "--allow-write=."}).code, 0);
  EXPECT_TRUE(fs::exists(folder.path() + "/skills/evil.py"));
}

TEST_F(Skills, TheExampleDoesWhatItSays) {
  const std::string example = base::source_folder() + "/examples/skills";
  const Ended ended = run({"exec", example + "/invoice.ts", "--config", example + "/glovebox.json"});
  std::ifstream file(example + "/expected_answer.json");
  EXPECT_EQ(ended.out, std::string(std::istreambuf_iterator<char>(file), {})) << ended.err;
}

}  // namespace
}  // namespace glovebox::e2e
