// What the command line says when it is used wrongly, and its help.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <sstream>

#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

struct Misuse {
  std::vector<std::string> arguments;
  const char* says;
};

TEST(Usage, ExitsWithTwoAndSaysWhatIsWrong) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a.ts", "1");
  const Misuse cases[] = {
      {{}, "subcommand"},
      {{"frobnicate"}, "there is no command frobnicate"},
      {{"frobnicate", "--json"}, "there is no command frobnicate"},
      {{"exek"}, "there is no command exek; did you mean exec?"},
      {{"ui", "--port", "65536"}, "--port: 65536 is not a number from 0 to 65535"},
      {{"exec"}, "give the code once: a FILE, - for standard input, or -e CODE"},
      {{"exec", file, "-e", "1"}, "give the code once"},
      {{"exec", "-", "-e", "1"}, "give the code once"},
      {{"exec", file, file}, "a.ts"},
      {{"exec", "-e"}, "-e"},
      {{"exec", "-e", "1", "--nonsense"}, "--nonsense"},
      {{"exec", "-e", "1", "--timeout"}, "--timeout"},
      {{"exec", "-e", "1", "--timeout", "soon"},
       "the duration \"soon\" is not understood; write it like 500ms, 30s or 5m"},
      {{"exec", "-e", "1", "--timeout", "0"}, "the duration \"0\" is not understood"},
      {{"exec", "-e", "1", "--timeout", "-5s"}, "the duration \"-5s\" is not understood"},
      {{"exec", "-e", "1", "--cpu", "1d"}, "the duration \"1d\" is not understood"},
      {{"exec", "-e", "1", "--memory", "lots"},
       "the size \"lots\" is not understood; write it like 64MB, 512KB or 1GB"},
      {{"exec", "-e", "1", "--max-output", "-1"}, "the size \"-1\" is not understood"},
      {{"exec", "-e", "1", "--now", "yesterday"}, "the time \"yesterday\" is not understood"},
      {{"exec", "-e", "1", "--lang", "ruby"}, "--lang takes ts, js or py, not \"ruby\""},
      {{"exec", folder.path() + "/missing.ts"}, "missing.ts: No such file or directory"},
      {{"exec", folder.path()}, "Is a directory"},
      {{"exec", "-e", "1", "--lang", "py", "--python-allow-import="}, "write --python-allow-import="},
      {{"exec", "-e", "1", "--context", "@" + folder.path() + "/none.json"}, "none.json: No such file or directory"},
      {{"exec", "-e", "1", "--context", "@" + folder.path()}, "Is a directory"},
      {{"exec", "--allow-read=", file}, "--allow-read needs a value after =; write --allow-read=PATH"},
      {{"exec", "--allow-read", file}, "--allow-read needs a value after =; write --allow-read=PATH"},
      {{"exec", "-e", "1", "--allow-write"}, "write --allow-write=PATH"},
      {{"exec", "-e", "1", "--allow-net="}, "write --allow-net=HOST[:PORT]"},
      {{"exec", "-e", "1", "--allow-env", "HOME"}, "write --allow-env=NAME"},
      {{"exec", "-e", "1", "--allow-run", "--json"}, "write --allow-run=COMMAND"},
      {{"exec", "-e", "1", "--allow-read=a,,b"}, "--allow-read has an empty value; write it like --allow-read=./data"},
      {{"exec", "-e", "1", "--allow-net-private=a"}, "--allow-net-private"},
      {{"exec", "-e", "1", "--vfs=cow"}, "--vfs takes direct or overlay, not \"cow\""},
      {{"exec", "-e", "1", "--commit"}, "add --vfs=overlay"},
      {{"exec", "-e", "1", "--discard", "--vfs=direct"}, "add --vfs=overlay"},
      {{"exec", "-e", "1", "--vfs=overlay", "--commit", "--discard"}, "--commit and --discard cannot be combined"},
      {{"exec", "-e", "1", "--vfs=overlay", "--allow-run=git"}, "a command writes to the real disk, past the overlay"},
      {{"exec", "-e", "1", "--config", folder.path() + "/none.json"}, "none.json: cannot be read: No such file"},
      {{"exec", "-e", "1", "--config", file, "--no-config"}, "--config and --no-config cannot be combined"},
      {{"config"}, "subcommand"},
      {{"config", "validate", "--nonsense"}, "--nonsense"},
      {{"doctor", "--nonsense"}, "Run `glovebox doctor --help` for its options."},
      {{"serve", "--bogus"}, "Run `glovebox serve --help` for its options."},
      {{"serve", "--workspace", folder.path(), "--tls-cert", file, "--log-format", "text"}, "need --http"},
      {{"exec", "-e", "1", "--timeout", "5"}, "the duration \"5\" is not understood; write it like 500ms, 30s or 5m"},
      {{"doctor", "extra"}, "extra"},
  };
  for (const Misuse& misuse : cases) {
    const Ended ended = Command(misuse.arguments).run();
    EXPECT_EQ(ended.code, 2) << misuse.says;
    EXPECT_EQ(ended.out.empty(), misuse.arguments.empty() || misuse.arguments.back() != "--json") << misuse.says;
    EXPECT_TRUE(ended.err.starts_with("glovebox: ")) << ended.err;
    EXPECT_NE(ended.err.find(misuse.says), std::string::npos) << ended.err;
  }
}

// A program that asked for JSON gets JSON, whatever it did wrong.
TEST(Usage, IsOneObjectWithJson) {
  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"exec", "--json"},
                                                    {"exec", "--json", "--nonsense"},
                                                    {"exec", "--json", "/nowhere/a.ts"},
                                                    {"exec", "--json", "-e", "1", "--timeout", "\"quoted\""},
                                                    {"exec", "--json", "bytes \xff\xfe"}}) {
    const Ended ended = Command(arguments).run();
    EXPECT_EQ(ended.code, 2);
    json::error_code error;
    const json::value document = json::parse(ended.out, error);
    ASSERT_FALSE(error) << ended.out;
    EXPECT_TRUE(document.at("result").is_null());
    EXPECT_EQ(document.at("logs"), json::array());
    EXPECT_TRUE(document.at("metrics").is_object());
    EXPECT_EQ(document.at("error").at("code"), "USAGE");
    EXPECT_EQ(ended.out.find('\n'), ended.out.size() - 1);
  }
}

TEST(Usage, RefusesWrongRequestsForPeopleToo) {
  const Ended context = exec({"-e", "1", "--context", "{bad"});
  EXPECT_EQ(context.code, 2);
  EXPECT_TRUE(context.err.starts_with("error: context: not valid JSON: ")) << context.err;
  const Ended layer = exec({"-e", "1", "--degraded", "landlock,walls"});
  EXPECT_EQ(layer.code, 2);
  EXPECT_NE(layer.err.find("no layer is called \"walls\"; those that may be missing are: namespaces, landlock"),
            std::string::npos);
}

TEST(Help, IsAskedForInMoreWaysThanOne) {
  const std::string help = Command({"--help"}).run().out;
  const std::string version = Command({"--version"}).run().out;
  EXPECT_EQ(Command({"help"}).run().out, help);
  EXPECT_EQ(Command({"help", "serve"}).run().out, Command({"serve", "--help"}).run().out);
  EXPECT_EQ(Command({"version"}).run().out, version);
  EXPECT_EQ(Command({"-v"}).run().out, version);
}

TEST(Help, ShowsTheCommands) {
  for (const char* flag : {"--help", "-h"}) {
    const Ended ended = Command({flag}).run();
    EXPECT_EQ(ended.code, 0);
    EXPECT_EQ(ended.err, "");
    for (const char* word : {"exec", "config", "doctor", "--version"})
      EXPECT_NE(ended.out.find(word), std::string::npos) << word;
  }
}

TEST(Help, ShowsEveryOptionOfExec) {
  const Ended ended = Command({"exec", "--help"}).run();
  EXPECT_EQ(ended.code, 0);
  for (const char* word : {"FILE",
                           "-e,--eval",
                           "--lang",
                           "--context",
                           "--timeout",
                           "--cpu",
                           "--memory",
                           "--max-output",
                           "--seed",
                           "--now",
                           "--degraded",
                           "--json",
                           "--config",
                           "--no-config",
                           "--allow-read PATH",
                           "--allow-write PATH",
                           "--allow-net HOST[:PORT]",
                           "--allow-env NAME",
                           "--allow-run COMMAND",
                           "--allow-net-private",
                           "--vfs",
                           "--commit",
                           "--discard",
                           "mcp.<server>.<tool>",
                           "Examples:",
                           "6 waiting for a person",
                           "Exit codes:"}) {
    EXPECT_NE(ended.out.find(word), std::string::npos) << word;
  }
}

// Two programs have the commands, and one list.
TEST(Help, DescribesEachCommandInTheSameWords) {
  std::istringstream lines(Command({"--help"}).run().out);
  std::string line;
  std::size_t commands = 0;
  while (std::getline(lines, line) && line != "Subcommands:") {
  }
  while (std::getline(lines, line) && line.starts_with("  ")) {
    const std::size_t end = line.find(' ', 2);
    const std::string name = line.substr(2, end - 2);
    const std::string what = line.substr(line.find_first_not_of(' ', end));
    const std::string own = Command({name, "--help"}).run().out;
    EXPECT_EQ(own.substr(0, own.find('\n')), what) << name;
    ++commands;
  }
  EXPECT_GT(commands, 20u);
}

// Help that shows a command which does not work would be worse than none.
TEST(Help, ItsExamplesWork) {
  EXPECT_EQ(exec({"-e", "1 + 1"}).out, "2\n");
  EXPECT_EQ(exec({"-", "--context", "[1,2,3]"}, "return context.length\n").out, "3\n");
  EXPECT_EQ(exec({"-e", "while (true) {}", "--cpu", "200ms"}).code, 8);
}

TEST(Help, ShowsTheOptionsOfDoctor) {
  EXPECT_NE(Command({"--help"}).run().out.find("To begin"), std::string::npos);
  const Ended ended = Command({"doctor", "--help"}).run();
  EXPECT_EQ(ended.out.find("To begin"), std::string::npos) << "what belongs to the program is not repeated";
  EXPECT_EQ(ended.code, 0);
  EXPECT_NE(ended.out.find("--json"), std::string::npos);
}

TEST(Help, TellsTheVersion) {
  const Ended ended = Command({"--version"}).run();
  EXPECT_EQ(ended.code, 0);
  EXPECT_TRUE(ended.out.starts_with("glovebox ")) << ended.out;
  EXPECT_GE(ended.out.find_first_of("0123456789"), 9u);
}

}  // namespace
}  // namespace glovebox::e2e
