#include "calls/command/command_runner.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "calls/command/program_search.h"

namespace glovebox::calls {
namespace {

namespace asio = boost::asio;
using Kind = CommandError::Kind;

CommandRules rules_for(const std::vector<std::string>& programs, const std::vector<std::string>& names = {}) {
  CommandRules rules;
  rules.programs = policy::RunGrants::prepare(programs, [](const std::string& grant) {
                     return find_program(grant, "/usr/local/bin:/usr/bin:/bin");
                   }).value();
  rules.names = policy::EnvGrants::parse(names).value();
  rules.environment = {{"HOME", "/home/a"}, {"SECRET", "s"}};
  return rules;
}

CommandRequest shell(std::string script) {
  CommandRequest request;
  request.program = "sh";
  request.arguments = {"-c", std::move(script)};
  return request;
}

// One command on a loop of its own.
CommandResult<CommandOutput> run(CommandRules rules, CommandRequest request) {
  asio::io_context io;
  CommandRunner runner(io, std::move(rules));
  std::optional<CommandResult<CommandOutput>> result;
  runner.run(std::move(request), [&](CommandResult<CommandOutput> done) {
    EXPECT_FALSE(result) << "called twice";
    result.emplace(std::move(done));
  });
  EXPECT_FALSE(result) << "called inside";
  io.run();
  EXPECT_TRUE(result);
  return std::move(*result);
}

bool alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return stat >> number >> name >> state && state != "Z" && state != "X";
}

// The first line that a command writes to a file; waits for it.
std::string first_line_of(const std::string& path) {
  for (;;) {
    std::string line;
    std::ifstream file(path);
    if (std::getline(file, line) && !file.eof()) return line;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

std::string temporary_name(const char* name) {
  return testing::TempDir() + "glovebox_command_" + std::to_string(::getpid()) + "_" + name;
}

TEST(CommandRunner, GivesCodeAndBothStreams) {
  auto result = run(rules_for({"sh"}), shell("printf 'o\\000o'; printf e >&2; exit 3"));
  ASSERT_TRUE(result.ok()) << result.failure().message;
  EXPECT_EQ(result->code, 3);
  EXPECT_EQ(result->signal, "");
  EXPECT_EQ(result->out, std::string("o\0o", 3));
  EXPECT_EQ(result->err, "e");
}

// A busy loop notices the end of the program while it is still reading the output, piece by piece.
TEST(CommandRunner, LosesNothingOfTheLastWords) {
  asio::io_context io;
  CommandRunner runner(io, rules_for({"sh"}));
  const std::string note = temporary_name("words");
  std::string expected;
  for (int i = 1; i <= 8000; ++i) expected += std::to_string(i) + "\n";
  std::string out;
  runner.run(shell("seq 1 8000; echo > " + note),
             [&](CommandResult<CommandOutput> result) { out = std::move(result->out); });
  first_line_of(note);
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  io.run();
  EXPECT_TRUE(out == expected) << out.size() << " bytes of " << expected.size();
  std::filesystem::remove(note);
}

TEST(CommandRunner, NamesTheSignalAsDenoDoes) {
  auto result = run(rules_for({"sh"}), shell("kill -9 $$"));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->code, 137);
  EXPECT_EQ(result->signal, "SIGKILL");
}

TEST(CommandRunner, DeniesWhatIsNotGrantedWhetherItExistsOrNot) {
  for (const char* program : {"rm", "/bin/rm", "no-such-program", "", "sh ", "./sh"}) {
    CommandRequest request;
    request.program = program;
    auto result = run(rules_for({"sh"}), std::move(request));
    ASSERT_FALSE(result.ok()) << program;
    EXPECT_EQ(result.failure().kind, Kind::kDenied);
    EXPECT_EQ(result.failure().message, "Requires run access to \"" + std::string(program) + "\"");
  }
}

TEST(CommandRunner, SaysThatAGrantedProgramIsMissing) {
  CommandRequest request;
  request.program = "no-such-program";
  auto result = run(rules_for({"no-such-program"}), std::move(request));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.failure().kind, Kind::kNotFound);
  EXPECT_EQ(result.failure().message, "Failed to spawn 'no-such-program': entity not found");
}

// The program that was found when the run was prepared is the one that runs, whatever is at that path later.
TEST(CommandRunner, RunsWhatTheGrantLedToThen) {
  namespace fs = std::filesystem;
  std::string folder = temporary_name("search_XXXXXX");
  ASSERT_TRUE(::mkdtemp(folder.data()));
  const auto write = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder + "/" + name) << "#!/bin/sh\n" << text << "\n";
    fs::permissions(folder + "/" + name, fs::perms::owner_all);
  };
  write("good", "echo good $0");
  write("evil", "echo evil");
  fs::create_symlink("good", folder + "/tool");
  CommandRules rules;
  rules.programs = policy::RunGrants::prepare({"tool"}, [&](const std::string& grant) {
                     return find_program(grant, folder);
                   }).value();
  fs::remove(folder + "/tool");
  fs::create_symlink("evil", folder + "/tool");
  CommandRequest request;
  request.program = "tool";
  auto result = run(std::move(rules), std::move(request));
  ASSERT_TRUE(result.ok()) << result.failure().message;
  EXPECT_TRUE(result->out.starts_with("good ")) << result->out;
  fs::remove_all(folder);
}

TEST(CommandRunner, GivesOnlyTheGrantedEnvironment) {
  CommandRequest request;
  request.program = "env";
  EXPECT_EQ(run(rules_for({"env"}), request)->out, "");
  EXPECT_EQ(run(rules_for({"env"}, {"HOME", "NEW"}), request)->out, "HOME=/home/a\n");
  request.environment = {{"NEW", "1"}};
  EXPECT_EQ(run(rules_for({"env"}, {"HOME", "NEW"}), request)->out, "HOME=/home/a\nNEW=1\n");
  auto denied = run(rules_for({"env"}, {"HOME"}), request);
  ASSERT_FALSE(denied.ok());
  EXPECT_EQ(denied.failure().message, "Requires env access to \"NEW\"");
}

TEST(CommandRunner, StartsInAFolderThatTheRunMayRead) {
  CommandRequest request;
  request.program = "pwd";
  request.folder = "/usr";
  auto denied = run(rules_for({"pwd"}), request);
  ASSERT_FALSE(denied.ok());
  EXPECT_EQ(denied.failure().kind, Kind::kDenied);
  EXPECT_EQ(denied.failure().message, "Requires read access to \"/usr\"");

  const auto opened = [](const char* path) {
    return std::make_shared<base::UniqueFd>(::open(path, O_PATH | O_CLOEXEC));
  };
  request.opened_folder = opened("/usr");
  EXPECT_EQ(run(rules_for({"pwd"}), request)->out, "/usr\n");
  request.folder = "/etc/passwd";
  request.opened_folder = opened("/etc/passwd");
  EXPECT_EQ(run(rules_for({"pwd"}), request).failure().message, "Failed to spawn 'pwd': No such cwd '/etc/passwd'");
}

TEST(CommandRunner, RefusesAnArgumentThatWouldBeCut) {
  CommandRequest request;
  request.program = "echo";
  request.arguments = {std::string("a\0b", 3)};
  auto result = run(rules_for({"echo"}), std::move(request));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.failure().kind, Kind::kInvalid);
}

TEST(CommandRunner, TellsWhatTheKernelRefuses) {
  CommandRequest request;
  request.program = "echo";
  request.arguments = {std::string(4 << 20, 'x')};
  auto result = run(rules_for({"echo"}), std::move(request));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.failure().kind, Kind::kSystem);
  EXPECT_EQ(result.failure().error_number, E2BIG);
  EXPECT_EQ(result.failure().message, "Failed to spawn 'echo': Argument list too long (os error 7)");
}

TEST(CommandRunner, FeedsStandardInput) {
  CommandRequest request;
  request.program = "cat";
  request.input = "to be read";
  EXPECT_EQ(run(rules_for({"cat"}), request)->out, "to be read");
  request.input = "";
  EXPECT_EQ(run(rules_for({"cat"}), request)->out, "");
}

TEST(CommandRunner, KeepsOnlyTheStreamsThatAreWanted) {
  CommandRequest request = shell("echo out; echo err >&2");
  request.keep_out = false;
  EXPECT_EQ(run(rules_for({"sh"}), request)->out, "");
  EXPECT_EQ(run(rules_for({"sh"}), request)->err, "err\n");
}

// ---- Limits

TEST(CommandRunner, TakesOutputUpToTheLimitAndNoByteMore) {
  for (const char* stream : {"", " >&2"}) {
    CommandRules rules = rules_for({"sh"});
    rules.max_output_bytes = 100'000;
    const std::string write = std::string("head -c 100000 /dev/zero") + stream;
    auto all = run(rules, shell(write));
    ASSERT_TRUE(all.ok()) << all.failure().message;
    EXPECT_EQ(all->out.size() + all->err.size(), 100'000u);

    auto more = run(rules, shell(write + "; printf x" + stream));
    ASSERT_FALSE(more.ok());
    EXPECT_EQ(more.failure().kind, Kind::kOutputLimit);
    EXPECT_EQ(more.failure().message, "the command 'sh' wrote more than 100000 bytes");
  }
}

TEST(CommandRunner, KillsWhatWritesWithoutEnd) {
  CommandRequest request;
  request.program = "yes";
  auto result = run(rules_for({"yes"}), std::move(request));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.failure().kind, Kind::kOutputLimit);
  EXPECT_EQ(result.failure().message, "the command 'yes' wrote more than 16 MB");
}

TEST(CommandRunner, BoundsTheOutputOfAllCommandsTogether) {
  asio::io_context io;
  CommandRules rules = rules_for({"sh"});
  rules.max_held_bytes = 150'000;
  CommandRunner runner(io, std::move(rules));
  int ok = 0;
  int refused = 0;
  const std::string mark = temporary_name("refused");
  const auto count = [&](const CommandResult<CommandOutput>& result) {
    result.ok() ? ++ok : ++refused;
    if (result.ok()) return;
    EXPECT_EQ(result.failure().kind, Kind::kOutputLimit);
    EXPECT_EQ(result.failure().message, "the commands of this run wrote more than 150000 bytes of output");
    std::ofstream(mark) << "x";
  };
  // Each holds its output until the other has been refused.
  const std::string script = "head -c 100000 /dev/zero; until [ -e " + mark + " ]; do sleep 0.01; done";
  for (int i = 0; i < 2; ++i) runner.run(shell(script), count);
  io.run();
  EXPECT_EQ(ok, 1);
  EXPECT_EQ(refused, 1);
  std::filesystem::remove(mark);
  // The room has been given back.
  io.restart();
  runner.run(shell("head -c 150000 /dev/zero"), count);
  io.run();
  EXPECT_EQ(ok, 2);
}

TEST(CommandRunner, EndsAtItsTimeLimitOrAtTheRunsDeadline) {
  CommandRules own = rules_for({"sleep"});
  own.time_limit = std::chrono::milliseconds(20);
  CommandRules of_run = rules_for({"sleep"});
  of_run.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(20);
  for (const CommandRules& rules : {own, of_run}) {
    CommandRequest request;
    request.program = "sleep";
    request.arguments = {"1000"};
    auto result = run(rules, std::move(request));
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.failure().kind, Kind::kTimedOut);
    EXPECT_EQ(result.failure().message, "the command 'sleep' took too long");
  }
}

TEST(CommandRunner, LetsSomeWorkAndTheOthersWait) {
  asio::io_context io;
  CommandRules rules = rules_for({"sh"});
  rules.max_at_once = 2;
  CommandRunner runner(io, std::move(rules));
  const std::string folder = temporary_name("at_once");
  std::filesystem::create_directory(folder);
  int done = 0;
  std::size_t most = 0;
  for (int i = 0; i < 8; ++i) {
    const std::string mark = folder + "/" + std::to_string(i);
    runner.run(shell("touch " + mark + "; ls " + folder + " | wc -l; sleep 0.02; rm " + mark),
               [&](CommandResult<CommandOutput> result) {
                 ASSERT_TRUE(result.ok()) << result.failure().message;
                 ++done;
                 most = std::max<std::size_t>(most, std::stoul(result->out));
               });
  }
  io.run();
  EXPECT_EQ(done, 8);
  EXPECT_LE(most, 2u);
  std::filesystem::remove_all(folder);
}

// ---- The end of a run

TEST(CommandRunner, CancelKillsGrandchildrenToo) {
  asio::io_context io;
  CommandRules rules = rules_for({"sh"});
  rules.max_at_once = 1;
  CommandRunner runner(io, std::move(rules));
  const std::string note = temporary_name("cancel");
  std::vector<Kind> ends;
  const auto keep = [&](const CommandResult<CommandOutput>& result) {
    ASSERT_FALSE(result.ok());
    ends.push_back(result.failure().kind);
  };
  runner.run(shell("setsid sh -c 'echo $$ > " + note + "; exec sleep 1000' & wait"), keep);
  runner.run(shell("echo waits in line"), keep);
  const pid_t grandchild = std::atoi(first_line_of(note).c_str());
  ASSERT_TRUE(alive(grandchild));
  runner.cancel();
  io.run();
  EXPECT_EQ(ends, (std::vector<Kind>{Kind::kCancelled, Kind::kCancelled}));
  EXPECT_FALSE(alive(grandchild));
  std::filesystem::remove(note);
}

TEST(CommandRunner, CanBeUsedAgainAfterACancel) {
  asio::io_context io;
  CommandRunner runner(io, rules_for({"echo"}));
  runner.cancel();
  CommandRequest request;
  request.program = "echo";
  std::string out;
  runner.run(std::move(request), [&](CommandResult<CommandOutput> result) { out = result->out; });
  io.run();
  EXPECT_EQ(out, "\n");
}

TEST(CommandRunner, IsSilentOnceItIsGone) {
  asio::io_context io;
  const std::string note = temporary_name("gone");
  bool called = false;
  pid_t command = 0;
  {
    CommandRunner runner(io, rules_for({"sh"}));
    runner.run(shell("echo $$ > " + note + "; exec sleep 1000"), [&](const auto&) { called = true; });
    command = std::atoi(first_line_of(note).c_str());
  }
  io.run();
  EXPECT_FALSE(called);
  EXPECT_FALSE(alive(command));
  std::filesystem::remove(note);
}

// The loop is destroyed, as when its owner gives up.
TEST(CommandRunner, LeavesNothingWhenTheLoopIsGone) {
  const std::string note = temporary_name("loop");
  pid_t command = 0;
  {
    auto io = std::make_unique<asio::io_context>();
    CommandRunner runner(*io, rules_for({"sh"}));
    runner.run(shell("echo $$ > " + note + "; exec sleep 1000"), [](const auto&) { FAIL(); });
    command = std::atoi(first_line_of(note).c_str());
    ASSERT_TRUE(alive(command));
    io.reset();
    EXPECT_FALSE(alive(command));
  }
  std::filesystem::remove(note);
}

// Processes that a command leaves running hold its streams open; they are not waited for.
TEST(CommandRunner, EndsWithTheProgramAndNotWithItsDaemons) {
  auto result = run(rules_for({"sh"}), shell("sleep 1000 & setsid sleep 1000 & echo done"));
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->out, "done\n");
}

TEST(CommandRunner, GetsRidOfACommandThatStopsItsKeeper) {
  CommandRules rules = rules_for({"sh"});
  rules.time_limit = std::chrono::milliseconds(50);
  auto result = run(std::move(rules), shell("kill -STOP $PPID; exec sleep 1000"));
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.failure().kind, Kind::kTimedOut);
}

}  // namespace
}  // namespace glovebox::calls
