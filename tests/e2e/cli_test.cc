// `glovebox exec` with code that runs: where the result goes, and the exit codes.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <boost/json.hpp>
#include <filesystem>

#include "base/program_part.h"
#include "command.h"

namespace glovebox::e2e {
namespace {

namespace json = boost::json;

// All of standard output, which must be one JSON object and a line break.
json::object document_of(const Ended& ended) {
  EXPECT_TRUE(ended.out.ends_with("}\n")) << ended.out;
  EXPECT_EQ(ended.out.find('\n'), ended.out.size() - 1) << "one line";
  json::error_code error;
  const json::value value = json::parse(ended.out, error);
  EXPECT_FALSE(error) << ended.out;
  return value.is_object() ? value.as_object() : json::object{};
}

std::string code_of(const json::object& document) {
  const auto* error = document.if_contains("error");
  return error ? std::string(error->at("code").as_string()) : "";
}

// ---- For people

TEST(Exec, PrintsTheResultOnStandardOutput) {
  const Ended ended = exec({"-e", "({ a: [1, 'x'], b: {} })"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "{\n  \"a\": [\n    1,\n    \"x\"\n  ],\n  \"b\": {}\n}\n");
  EXPECT_EQ(ended.err, "");
}

TEST(Exec, PrintsLogsOnStandardError) {
  const Ended ended = exec({"-e", "console.log('one'); console.error('two'); return 'result'"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "\"result\"\n");
  EXPECT_EQ(ended.err, "one\ntwo\n");
}

TEST(Exec, ShowsAnErrorWithItsLineAndACaret) {
  const Ended ended = exec({"-e", "const x: number = 1\nfunction fail() {\n\tthrow new Error('broken')\n}\nfail()"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.out, "");
  EXPECT_EQ(ended.err,
            "error: broken [RUNTIME_ERROR]\n"
            "  --> agent.ts:3:8\n"
            "  |\n"
            "3 | \tthrow new Error('broken')\n"
            "  | \t      ^\n"
            "    at agent.ts:5:1\n");
}

TEST(Exec, ShowsASyntaxErrorWithItsLineAndACaret) {
  const Ended ended = exec({"-e", "const ok = 1\nconst x: number = ;"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.err.find("  --> agent.ts:2:19\n  |\n2 | const x: number = ;\n  |                   ^\n"),
            std::string::npos)
      << ended.err;
}

// What the agent wrote must not reach the terminal as commands, neither as a result nor as its code.
TEST(Exec, SendsNoControlCharactersToTheTerminal) {
  const Ended result = exec({"-e", "['\\x9b2J', '\\u202e', '\\x1b']"});
  EXPECT_EQ(result.out, "[\n  \"\\u009b2J\",\n  \"\\u202e\",\n  \"\\u001b\"\n]\n");
  const Ended error = exec({"-e", "throw new Error('\x1b[31m')"});
  EXPECT_EQ(error.err.find('\x1b'), std::string::npos) << error.err;
}

// ---- For programs

TEST(ExecJson, IsExactlyOneObject) {
  const Ended ended = exec({"-e", "console.log('a line'); return { a: 1 }", "--json"});
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.err, "");
  const json::object document = document_of(ended);
  EXPECT_EQ(document.at("result"), json::value({{"a", 1}}));
  EXPECT_EQ(document.at("logs"), (json::array{"a line"}));
  EXPECT_FALSE(document.contains("error"));
  for (const char* figure :
       {"executionTimeMs", "startupTimeMs", "cpuTimeMs", "memoryUsedMB", "resultBytes", "logBytes"}) {
    EXPECT_TRUE(document.at("metrics").at(figure).is_number()) << figure;
  }
}

TEST(ExecJson, IsExactlyOneObjectWhenTheCodeFails) {
  const Ended ended = exec({"-e", "console.log('before'); throw new Error('broken')", "--json"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.err, "");
  const json::object document = document_of(ended);
  EXPECT_TRUE(document.at("result").is_null());
  EXPECT_EQ(document.at("logs"), (json::array{"before"}));
  EXPECT_EQ(document.at("error").at("type"), "RuntimeError");
  EXPECT_EQ(document.at("error").at("message"), "broken");
  EXPECT_EQ(document.at("error").at("stack"), "Error: broken\n    at agent.ts:1:30");
}

struct ExitCode {
  std::vector<std::string> arguments;
  int code;
  const char* error_code;
};

TEST(ExecJson, ExitsWithTheCodeOfEachKind) {
  const ExitCode cases[] = {
      {{"-e", "1"}, 0, ""},
      {{"-e", ""}, 0, ""},
      {{"-e", "throw 1"}, 1, "RUNTIME_ERROR"},
      {{"-e", "?"}, 1, "SYNTAX_ERROR"},
      {{"-e", "() => 1"}, 0, ""},  // the whole program is a function, so it is called
      {{"-e", "({ f: () => 1 })"}, 1, "RESULT_NOT_SERIALIZABLE"},
      {{"-e", "'x'.repeat(100)", "--max-output", "50"}, 1, "RESULT_TOO_LARGE"},
      {{"-e", "(function f() { f() })()"}, 1, "STACK_LIMIT"},
      {{"-e", "Promise.reject(1); return 1"}, 1, "UNHANDLED_REJECTION"},
      {{"-e", "1", "--context", "{bad"}, 2, "INVALID_REQUEST"},
      {{"-e", "1", "--memory", "1MB"}, 2, "INVALID_REQUEST"},
      {{"-e", "1", "--degraded", "walls"}, 2, "INVALID_REQUEST"},
      {{"-e", "Deno.cwd()"}, 7, "PERMISSION_DENIED"},
      {{"-e", "await fetch('https://example.com')"}, 7, "PERMISSION_DENIED"},
      {{"-e", "import 'fs'"}, 7, "MODULE_DENIED"},
      {{"-e", "for (;;) {}", "--timeout", "100ms"}, 8, "EXECUTION_TIMEOUT"},
      {{"-e", "for (;;) {}", "--cpu", "50ms"}, 8, "CPU_LIMIT"},
      {{"-e", "for (const a = [];;) a.push(new Array(1000).fill(1))", "--memory", "32MB"}, 10, "MEMORY_LIMIT"},
  };
  for (ExitCode item : cases) {
    item.arguments.push_back("--json");
    const Ended ended = exec(item.arguments);
    EXPECT_EQ(ended.code, item.code) << item.arguments[1];
    EXPECT_EQ(code_of(document_of(ended)), item.error_code) << item.arguments[1];
    EXPECT_EQ(ended.err, "") << item.arguments[1];
  }
}

TEST(ExecJson, ExitsWithFourWhenTheSandboxCannotStart) {
  // The file beside the program is no engine.
  const TemporaryFolder folder;
  const std::string program = folder.copy_program();
  for (const char* part : {"libglovebox-guest.so", "libglovebox-guest.image"})
    std::filesystem::create_symlink(base::program_part(part), folder.path() + "/" + part);
  ::chmod(folder.write("glovebox-engine", "not a program").c_str(), 0755);
  const Ended ended = Command({"exec", "-e", "1", "--json"}).program(program).run();
  EXPECT_EQ(ended.code, 4);
  const json::object document = document_of(ended);
  EXPECT_EQ(code_of(document), "SANDBOX_UNAVAILABLE");
  EXPECT_NE(document.at("error").at("message").as_string().find("starting the engine"), json::string::npos);
}

TEST(ExecJson, NamesThePartThatACopyLacks) {
  const TemporaryFolder folder;
  const std::string program = folder.copy_program();
  const Ended ended = Command({"exec", "-e", "1"}).program(program).run();
  EXPECT_EQ(ended.code, 4);
  EXPECT_NE(
      ended.err.find("/glovebox-engine: No such file or directory; this copy of Glovebox is incomplete: reinstall it"),
      std::string::npos)
      << ended.err;
  EXPECT_EQ(std::count(ended.err.begin(), ended.err.end(), '\n'), 1) << ended.err;
}

// ---- Where the code comes from

TEST(ExecSource, ReadsAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("report.ts", "const n: number = context.n\nreturn n + 1\n");
  EXPECT_EQ(exec({path, "--context", R"({"n": 41})"}).out, "42\n");
}

TEST(ExecSource, NamesTheFileInErrors) {
  const TemporaryFolder folder;
  const Ended ended = exec({folder.write("rëport.ts", "\n\n  throw new Error('here')")});
  EXPECT_EQ(ended.code, 1);
  EXPECT_NE(ended.err.find("  --> rëport.ts:3:9\n  |\n3 |   throw new Error('here')\n  |         ^\n"),
            std::string::npos)
      << ended.err;
}

TEST(ExecSource, KnowsTheLanguageByTheEnding) {
  const TemporaryFolder folder;
  const std::string typed = "const n: number = 1; return n";
  EXPECT_EQ(exec({folder.write("a.ts", typed)}).code, 0);
  EXPECT_EQ(exec({folder.write("no_ending", typed)}).code, 0);
  EXPECT_EQ(exec({folder.write("a.js", typed)}).code, 1);
  EXPECT_EQ(exec({folder.write("a.mjs", typed)}).code, 1);
  EXPECT_EQ(exec({folder.write("b.js", typed), "--lang", "ts"}).code, 0) << "the option wins";
  EXPECT_EQ(exec({folder.write("b.ts", typed), "--lang", "js"}).code, 1);
}

TEST(ExecSource, ReadsStandardInput) {
  EXPECT_EQ(exec({"-"}, "return 6 * 7").out, "42\n");
  EXPECT_EQ(exec({"-"}, "").out, "null\n");
  EXPECT_EQ(exec({"-", "--lang", "js"}, "const n: number = 1").code, 1);
}

TEST(ExecSource, LeavesStandardInputAloneOtherwise) {
  EXPECT_EQ(Command({"exec", "-e", "1"}).without_stream(STDIN_FILENO).run().out, "1\n");
}

TEST(ExecSource, TakesCodeThatLooksLikeAnOption) {
  EXPECT_EQ(exec({"-e", "-1 + 2"}).out, "1\n");
  EXPECT_EQ(exec({"-e", "--timeout"}).code, 1) << "it is code, and wrong: nothing has that name";
  EXPECT_EQ(exec({"--eval=1 + 1"}).out, "2\n");
}

TEST(ExecSource, RefusesAnEndlessFile) {
  const Ended ended = exec({"/dev/zero", "--json"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(code_of(document_of(ended)), "SOURCE_TOO_LARGE");
}

TEST(ExecSource, RefusesWhatIsNotText) {
  const TemporaryFolder folder;
  const Ended ended = exec({folder.write("binary.ts", "return '\xff\xfe'"), "--json"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(document_of(ended).at("error").at("type"), "SyntaxError");
}

TEST(ExecSource, ReadsTheContextFromAFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("context.json", "{ \"a\": [1, 2]\n}\n");
  EXPECT_EQ(exec({"-e", "context.a.length", "--context", "@" + path}).out, "2\n");
}

TEST(ExecSource, TakesBracketsInTheContext) {
  EXPECT_EQ(exec({"-e", "context.length", "--context", "[1,2,3]"}).out, "3\n");
  EXPECT_EQ(exec({"-e", "context", "--context", "\"a,b\""}).out, "\"a,b\"\n");
}

// ---- Again, exactly

TEST(ExecRepeat, RepeatsARunByItsSeedAndClock) {
  const std::string code = "[Math.random(), Date.now(), crypto.randomUUID()]";
  const json::object first = document_of(exec({"-e", code, "--json"}));
  const std::string seed(first.at("metrics").at("seed").as_string());
  const std::string now = std::to_string(first.at("metrics").at("now").as_int64());
  const json::object second = document_of(exec({"-e", code, "--json", "--seed", seed, "--now", now}));
  EXPECT_EQ(first.at("result"), second.at("result"));
  const json::object third = document_of(exec({"-e", code, "--json"}));
  EXPECT_NE(first.at("result"), third.at("result"));
}

// ---- Interrupted

TEST(ExecInterrupt, EndsTheRunAndExitsWith130) {
  for (const int number : {SIGINT, SIGTERM}) {
    Command command({"exec", "-e", "console.log('started'); for (;;) {}"});
    command.start();
    ASSERT_EQ(command.read_error_line(), "started") << "log lines come while the code runs";
    command.signal(number);
    const Ended ended = command.finish();
    EXPECT_EQ(ended.code, 130);
    EXPECT_NE(ended.err.find("error: the run was cancelled [CANCELLED]"), std::string::npos) << ended.err;
    EXPECT_EQ(ended.out, "");
  }
}

TEST(ExecInterrupt, StillPrintsOneObject) {
  Command command({"exec", "-e", "console.log('started'); await new Promise((r) => setTimeout(r, 1e8))", "--json"});
  command.start();
  // It cannot be seen from outside when the code runs; whenever the signal arrives, there is one answer.
  command.wait_until_it_minds(SIGINT);
  command.signal(SIGINT);
  const Ended ended = command.finish();
  EXPECT_EQ(ended.code, 130);
  EXPECT_EQ(code_of(document_of(ended)), "CANCELLED");
}

// ---- Output that is hard to get rid of

TEST(ExecOutput, WaitsForASlowReader) {
  Command command({"exec", "-e", "'x'.repeat(8 << 20)", "--json"});
  command.start();
  std::string out;
  char buffer[256 * 1024];
  for (ssize_t got; (got = ::read(command.out(), buffer, sizeof buffer)) > 0;) {
    out.append(buffer, static_cast<std::size_t>(got));
    ::usleep(2'000);
  }
  Ended ended = command.finish();
  EXPECT_EQ(ended.code, 0);
  ended.out = out;
  EXPECT_EQ(document_of(ended).at("result").as_string().size(), std::size_t{8} << 20);
}

TEST(ExecOutput, TellsWhenStandardOutputIsClosed) {
  const Ended ended = Command({"exec", "-e", "1"}).without_stream(STDOUT_FILENO).run();
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.err, "glovebox: cannot write the result: Bad file descriptor\n");
}

TEST(ExecOutput, TellsWhenTheDiskIsFull) {
  const Ended ended =
      Command({"exec", "-e", "1", "--json"}).out_to(base::UniqueFd(::open("/dev/full", O_WRONLY | O_CLOEXEC))).run();
  EXPECT_EQ(ended.code, 1);
  EXPECT_EQ(ended.err, "glovebox: cannot write the result: No space left on device\n");
}

TEST(ExecOutput, EndsWhenTheReaderGoesAway) {
  Command command({"exec", "-e", "'x'.repeat(8 << 20)"});
  command.start();
  command.take_out().reset();
  const Ended ended = command.finish();
  EXPECT_EQ(ended.code, 128 + SIGPIPE) << "as every filter does: " << ended.err;
}

TEST(ExecOutput, WorksWithoutStandardError) {
  const Ended ended = Command({"exec", "-e", "console.log('lost'); return 1"}).without_stream(STDERR_FILENO).run();
  EXPECT_EQ(ended.code, 0);
  EXPECT_EQ(ended.out, "1\n");
}

}  // namespace
}  // namespace glovebox::e2e
