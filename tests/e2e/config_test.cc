// glovebox.json as its users see it: what counts, what does not, and how mistakes are reported.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

Ended exec_in(const TemporaryFolder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "exec");
  return Command(std::move(arguments)).folder(folder.path()).run();
}

constexpr const char* kEndless = "for (;;) {}";

TEST(Config, OfTheCurrentFolderLowersLimits) {
  const TemporaryFolder folder;
  folder.write("glovebox.json", "{ // low\n \"sandbox\": {\"timeoutMs\": 100,}, \"mcpServers\": {} }");
  const Ended ended = exec_in(folder, {"-e", kEndless});
  EXPECT_EQ(ended.code, 8);
  EXPECT_NE(ended.err.find("its limit of 100 ms"), std::string::npos) << ended.err;
}

TEST(Config, OfTheCurrentFolderRaisesNothing) {
  const TemporaryFolder folder;
  folder.write("glovebox.json", R"({"sandbox": {"maxOutputBytes": 50000000}})");
  const std::string large = "'x'.repeat(17 << 20)";
  EXPECT_EQ(exec_in(folder, {"-e", large}).code, 1);
  EXPECT_EQ(exec_in(folder, {"-e", large, "--config", "glovebox.json"}).code, 0);
}

TEST(Config, OfTheCurrentFolderGrantsNothingAndSaysSo) {
  const TemporaryFolder folder;
  folder.write("glovebox.json", R"({"sandbox": {"allowRead": ["/"], "allowEnv": ["*"]}})");
  const Ended denied = exec_in(folder, {"-e", "await Deno.readTextFile('/etc/hostname')"});
  EXPECT_EQ(denied.code, 7);
  EXPECT_NE(denied.err.find("note: glovebox.json in this folder asks for allowRead, allowEnv; that applies only with "
                            "--config glovebox.json\n"),
            std::string::npos)
      << denied.err;
  const Ended fine = exec_in(folder, {"-e", "1"});
  EXPECT_EQ(fine.err, "") << "no word where nothing was denied";
  const Ended imported = exec_in(folder, {"-e", "return require('fs')"});
  EXPECT_EQ(imported.code, 7);
  EXPECT_EQ(imported.err.find("note: "), std::string::npos) << "no grant is for modules: " << imported.err;
  EXPECT_EQ(exec_in(folder, {"-e", "Deno.env.get('HOME')", "--json"}).err, "");
}

TEST(Config, IsLeftAloneOnRequest) {
  const TemporaryFolder folder;
  folder.write("glovebox.json", "{ broken");
  EXPECT_EQ(exec_in(folder, {"-e", "1"}).code, 2);
  EXPECT_EQ(exec_in(folder, {"-e", "1", "--no-config"}).out, "1\n");
}

TEST(Config, GivesWayToFlags) {
  const TemporaryFolder folder;
  folder.write("glovebox.json", R"({"sandbox": {"timeoutMs": 1}})");
  EXPECT_EQ(exec_in(folder, {"-e", "1", "--timeout", "30s"}).out, "1\n");
  folder.write("other.json", R"({"sandbox": {"timeoutMs": 100, "vfs": "overlay", "allowRun": ["git"]}})");
  const Ended both = exec_in(folder, {"-e", kEndless, "--config", "other.json"});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("a command writes to the real disk"), std::string::npos) << both.err;
  EXPECT_EQ(exec_in(folder, {"-e", kEndless, "--config", "other.json", "--vfs=direct"}).code, 8);
}

TEST(Config, MistakesHaveFileLineAndColumn) {
  const TemporaryFolder folder;
  folder.write("glovebox.json", "{\n  \"sandbox\": {\n    \"allowReads\": [],\n    \"memoryMB\": \"64\"\n  }\n}\n");
  const Ended ended = exec_in(folder, {"-e", "1"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_EQ(ended.err,
            "glovebox: glovebox.json:3:5: sandbox has no key \"allowReads\"; did you mean \"allowRead\"?\n"
            "glovebox.json:4:17: sandbox.memoryMB must be a whole number between 1 and 1073741824, such as 512\n");
  const Ended as_json = exec_in(folder, {"-e", "1", "--json"});
  EXPECT_EQ(as_json.code, 2);
  EXPECT_EQ(json::parse(as_json.out).at("error").at("code"), "USAGE");
}

// The file may be untrusted: it must not control the terminal.
TEST(Config, MistakesAreShownWithoutControlCharacters) {
  const TemporaryFolder folder;
  folder.write("glovebox.json", "{\"sandbox\": {\"\\u001b[2J\\n\\u009b\\u202e\": 1, \"allowEnv\": [\"\\u001b*x\"]}}");
  const Ended ended = exec_in(folder, {"-e", "1"});
  EXPECT_EQ(ended.code, 2);
  for (const char* control : {"\x1b", "\xc2\x9b", "\xe2\x80\xae"}) {
    EXPECT_EQ(ended.err.find(control), std::string::npos) << ended.err;
  }
  EXPECT_TRUE(ended.err.starts_with("glovebox: glovebox.json:1:14: sandbox has no key \"\\u001b[2J\\n")) << ended.err;
}

TEST(ConfigExplain, SaysWhatEachKeyIsAndWhatFormerNamesBecame) {
  const TemporaryFolder folder;
  folder.write("glovebox.json", R"({"sandbox": {"timeoutMs": 7, "heapLimitMB": 64}, "python": {"memoryMb": 256}})");
  const Ended explained = Command({"config", "explain"}).folder(folder.path()).run();
  EXPECT_EQ(explained.code, 0) << explained.err;
  for (const char* line : {"sandbox.timeoutMs 7\n", "sandbox.memoryMB 64 (written as sandbox.heapLimitMB)\n",
                           "sandbox.allowRead [] (default)\n", "python.memoryMb 256\n"})
    EXPECT_NE(explained.out.find(line), std::string::npos) << line << explained.out;
  const Ended json = Command({"config", "explain", "--json"}).folder(folder.path()).run();
  EXPECT_NE(json.out.find(R"({"key":"sandbox.memoryMB","value":64,"writtenAs":"sandbox.heapLimitMB"})"),
            std::string::npos)
      << json.out;
  EXPECT_EQ(Command({"config", "explain", "none.json"}).folder(folder.path()).run().code, 2);
}

TEST(ConfigValidate, SaysYesOrNo) {
  const TemporaryFolder folder;
  const auto validate = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"config", "validate"});
    return Command(std::move(arguments)).folder(folder.path()).run();
  };
  EXPECT_EQ(validate({}).code, 2);
  EXPECT_EQ(validate({}).err, "glovebox.json: cannot be read: No such file or directory\n");
  folder.write("glovebox.json", R"({"sandbox": {"allowEnv": ["HOME"]}})");
  EXPECT_EQ(validate({}).code, 0);
  EXPECT_EQ(validate({}).out, "glovebox.json: ok\n");
  EXPECT_EQ(validate({"--json"}).out, "{\"ok\":true,\"file\":\"glovebox.json\",\"problems\":[]}\n");

  folder.write("bad.json", "{\"sandbox\":\n {\"allowEnv\": [\"*_TOKEN\"]}}");
  const Ended bad = validate({"bad.json"});
  EXPECT_EQ(bad.code, 2);
  EXPECT_EQ(bad.out, "");
  EXPECT_TRUE(bad.err.starts_with("bad.json:2:16: sandbox.allowEnv is not understood: ")) << bad.err;
  const json::value document = json::parse(validate({"bad.json", "--json"}).out);
  EXPECT_EQ(document.at("ok"), false);
  EXPECT_EQ(document.at("problems").at(0).at("line"), 2);
  EXPECT_EQ(document.at("problems").at(0).at("column"), 16);
}

}  // namespace
}  // namespace glovebox::e2e
