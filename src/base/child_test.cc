#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cstdlib>
#include <fstream>
#include <optional>
#include <thread>

namespace glovebox::base {
namespace {

std::string read_all(const UniqueFd& from) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(from.get(), buffer, sizeof buffer);
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
      pollfd event{from.get(), POLLIN, 0};
      ::poll(&event, 1, -1);
      continue;
    }
    if (got <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(got));
  }
}

std::string read_line(const UniqueFd& from) {
  std::string text;
  for (char c = 0; c != '\n';) {
    const ssize_t got = ::read(from.get(), &c, 1);
    if (got == 0) return text;
    if (got < 0) {
      pollfd event{from.get(), POLLIN, 0};
      ::poll(&event, 1, -1);
      continue;
    }
    if (c != '\n') text += c;
  }
  return text;
}

ChildSpec shell(std::string script) {
  ChildSpec spec;
  spec.program = "/bin/sh";
  spec.arguments = {"sh", "-c", std::move(script)};
  spec.environment = {"PATH=/usr/bin:/bin"};
  return spec;
}

struct Ended {
  ChildEnd end;
  std::string out;
  std::string err;
};

Ended run(ChildSpec spec) {
  auto child = Child::start(std::move(spec));
  EXPECT_TRUE(child.ok());
  const UniqueFd out = child->take_out();
  const UniqueFd err = child->take_err();
  Ended ended;
  if (out.valid()) ended.out = read_all(out);
  if (err.valid()) ended.err = read_all(err);
  ended.end = child->reap();
  return ended;
}

// One that has died and waits for init to notice is not.
bool alive(pid_t pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string number;
  std::string name;
  std::string state;
  return stat >> number >> name >> state && state != "Z" && state != "X";
}

bool exists(pid_t pid) {
  return ::kill(pid, 0) == 0;
}

// For what happens soon, by another process's hand.
template <typename Condition>
bool comes_true(Condition condition) {
  for (int i = 0; i < 60'000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

TEST(Child, GivesItsOutputAndExitCode) {
  const Ended ended = run(shell("echo out; echo err >&2; exit 3"));
  EXPECT_EQ(ended.end.code, 3);
  EXPECT_EQ(ended.end.signal, 0);
  EXPECT_EQ(ended.end.start_error, 0);
  EXPECT_EQ(ended.out, "out\n");
  EXPECT_EQ(ended.err, "err\n");
}

TEST(Child, TellsTheSignalThatKilledIt) {
  const Ended ended = run(shell("kill -SEGV $$"));
  EXPECT_EQ(ended.end.signal, SIGSEGV);
  EXPECT_EQ(ended.end.code, 0);
}

TEST(Child, PassesArgumentsWithoutAShell) {
  ChildSpec spec;
  spec.program = "/usr/bin/printf";
  spec.arguments = {"printf", "[%s]", "a b", "$HOME", "", "*", "'\"`;|&", "--"};
  EXPECT_EQ(run(std::move(spec)).out, "[a b][$HOME][][*]['\"`;|&][--]");
}

TEST(Child, HasOnlyTheEnvironmentThatIsGiven) {
  ::setenv("GLOVEBOX_TEST_CANARY", "1", 1);
  ChildSpec spec;
  spec.program = "/usr/bin/env";
  spec.arguments = {"env"};
  spec.environment = {"A=1", "B=two words"};
  EXPECT_EQ(run(std::move(spec)).out, "A=1\nB=two words\n");
}

TEST(Child, ReadsItsInputOrNothing) {
  ChildSpec spec = shell("cat");
  spec.input = std::string(1 << 20, 'x') + "\nend";
  EXPECT_EQ(run(std::move(spec)).out, std::string(1 << 20, 'x') + "\nend");
  EXPECT_EQ(run(shell("cat; echo $?")).out, "0\n");
}

TEST(Child, ReadsWhatWeWriteUntilWeClose) {
  ChildSpec spec = shell("cat; echo end");
  spec.feed = true;
  auto child = Child::start(std::move(spec));
  ASSERT_TRUE(child.ok());
  const UniqueFd out = child->take_out();
  {
    const UniqueFd in = child->take_in();
    ASSERT_EQ(::write(in.get(), "one\n", 4), 4);
    EXPECT_EQ(read_line(out), "one");
    ASSERT_EQ(::write(in.get(), "two\n", 4), 4);
  }
  EXPECT_EQ(read_all(out), "two\nend\n");
  EXPECT_EQ(child->reap().code, 0);
}

TEST(Child, DropsTheStreamsThatNobodyKeeps) {
  ChildSpec spec = shell("echo out; echo err >&2; exit 5");
  spec.keep_out = spec.keep_err = false;
  EXPECT_EQ(run(std::move(spec)).end.code, 5);
}

TEST(Child, StartsInTheFolderThatIsGiven) {
  ChildSpec spec = shell("pwd");
  spec.folder.reset(::open("/usr", O_PATH | O_DIRECTORY | O_CLOEXEC));
  EXPECT_EQ(run(std::move(spec)).out, "/usr\n");
}

TEST(Child, SaysWhyItCouldNotStart) {
  ChildSpec missing;
  missing.program = "/nonexistent/program";
  missing.arguments = {"program"};
  EXPECT_EQ(run(std::move(missing)).end.start_error, ENOENT);

  ChildSpec data;
  data.program = "/etc/passwd";
  data.arguments = {"passwd"};
  EXPECT_EQ(run(std::move(data)).end.start_error, EACCES);

  ChildSpec folder = shell("pwd");
  folder.folder.reset(::open("/etc/passwd", O_PATH | O_CLOEXEC));
  const Ended ended = run(std::move(folder));
  EXPECT_EQ(ended.end.start_error, ENOTDIR);
  EXPECT_TRUE(ended.end.in_folder);
}

TEST(Child, HasNoDescriptorButItsStreams) {
  // Not for exec, and open in us: both would be visible in a child that forgot to close them.
  const UniqueFd leaky(::open("/etc/passwd", O_RDONLY));
  const UniqueFd high(::fcntl(leaky.get(), F_DUPFD, 200));
  const Ended ended = run(shell("cd /proc/self/fd && echo *"));
  EXPECT_EQ(ended.out.substr(0, 5), "0 1 2") << ended.out;
  EXPECT_LE(ended.out.size(), 8u) << "at most the one that lists: " << ended.out;
}

TEST(Child, StartsWithTheDefaultsOfSignals) {
  // As many programs do with SIGPIPE, and the loop thread with what it leaves to others.
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  // As a parent process may do with the signals that libc reserves for itself, and hides.
  constexpr int kHiddenByLibc = 33;
  struct {
    void (*handler)(int) = SIG_IGN;
    unsigned long rest[3] = {};
  } ignored, hidden_before;
  ::syscall(SYS_rt_sigaction, kHiddenByLibc, &ignored, &hidden_before, 8);
  sigset_t blocked;
  sigset_t old;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &old);
  const Ended ended = run(shell("exec grep -E '^Sig(Blk|Ign)|^NoNewPrivs' /proc/self/status"));
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, &old, &after);
  ::signal(SIGPIPE, before);
  ::syscall(SYS_rt_sigaction, kHiddenByLibc, &hidden_before, nullptr, 8);
  EXPECT_EQ(ended.out, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\nNoNewPrivs:\t1\n");
  EXPECT_TRUE(sigismember(&after, SIGTERM)) << "our own mask is as it was";
  EXPECT_FALSE(sigismember(&after, SIGINT));
}

TEST(Child, IsNotInOurProcessGroupOrSession) {
  const Ended ended = run(shell("exec awk '{print ($5 == $1), ($6 == $1)}' /proc/self/stat"));
  EXPECT_EQ(ended.out, "1 1\n");
}

TEST(Child, IsKilledOnRequestWithItsChildren) {
  auto child = Child::start(shell("sleep 1000 & echo $!; wait"));
  ASSERT_TRUE(child.ok());
  const UniqueFd out = child->take_out();
  const pid_t grandchild = std::atoi(read_line(out).c_str());
  ASSERT_TRUE(alive(grandchild));
  child->kill();
  EXPECT_EQ(child->reap().signal, SIGKILL);
  EXPECT_FALSE(alive(grandchild));
}

TEST(Child, TakesAlongWhoLeftTheGroup) {
  auto child = Child::start(shell("setsid sh -c 'echo $$; exec sleep 1000' & wait"));
  ASSERT_TRUE(child.ok());
  const UniqueFd out = child->take_out();
  const pid_t grandchild = std::atoi(read_line(out).c_str());
  ASSERT_TRUE(alive(grandchild));
  ASSERT_EQ(::getpgid(grandchild), grandchild);
  child->kill();
  child->reap();
  EXPECT_FALSE(alive(grandchild));
}

// A daemon: started, detached twice, and its parents gone. The command ends when it has read from it.
TEST(Child, LeavesNothingBehindWhenItEndsByItself) {
  const Ended ended =
      run(shell("(setsid sh -c '(echo $$; exec sleep 1000) & exec sleep 1000' &) | { read pid; echo $pid; }; exit 4"));
  EXPECT_EQ(ended.end.code, 4);
  const pid_t daemon = std::atoi(ended.out.c_str());
  ASSERT_GT(daemon, 0);
  EXPECT_FALSE(alive(daemon));
}

TEST(Child, IsKilledByItsOwnersDestruction) {
  pid_t command = 0;
  {
    auto child = Child::start(shell("echo $$; exec sleep 1000"));
    ASSERT_TRUE(child.ok());
    command = std::atoi(read_line(child->take_out()).c_str());
    ASSERT_TRUE(alive(command));
  }
  EXPECT_FALSE(exists(command)) << "reaped, too";
}

TEST(Child, IsReapedWhenItsKeeperIsStopped) {
  auto child = Child::start(shell("kill -STOP $PPID; echo $$; exec sleep 1000"));
  ASSERT_TRUE(child.ok());
  const UniqueFd out = child->take_out();
  const pid_t command = std::atoi(read_line(out).c_str());
  child->kill();
  child->kill_hard();
  EXPECT_EQ(child->reap().signal, SIGKILL);
  EXPECT_TRUE(comes_true([&] { return !alive(command); }));
}

TEST(Child, DiesWhenItKillsItsKeeper) {
  auto child = Child::start(shell("echo $$; kill -KILL $PPID; exec sleep 1000"));
  ASSERT_TRUE(child.ok());
  const UniqueFd out = child->take_out();
  const pid_t command = std::atoi(read_line(out).c_str());
  EXPECT_EQ(child->reap().signal, SIGKILL);
  EXPECT_TRUE(comes_true([&] { return !alive(command); }));
}

// The thread that starts a Child may end; the process may not.
TEST(Child, OutlivesTheThreadThatStartedIt) {
  std::optional<Result<Child>> child;
  std::thread([&] { child.emplace(Child::start(shell("read x; echo still here"))); }).join();
  ASSERT_TRUE(child->ok());
  EXPECT_EQ(read_all((*child)->take_out()), "still here\n");
  EXPECT_EQ((*child)->reap().code, 0);
}

// SIGKILL leaves no time for destructors.
TEST(Child, DoesNotOutliveUs) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  UniqueFd pipe_end(ends[0]);
  const pid_t gateway = ::fork();
  if (gateway == 0) {
    ChildSpec spec = shell("setsid sh -c 'echo $$; exec sleep 1000' & echo $$; wait");
    auto child = Child::start(std::move(spec));
    if (!child) ::_exit(1);
    const UniqueFd out = child->take_out();
    const std::string both = read_line(out) + " " + read_line(out) + "\n";
    (void)!::write(ends[1], both.data(), both.size());
    ::pause();
    ::_exit(1);
  }
  ::close(ends[1]);
  const std::string both = read_line(pipe_end);
  pid_t first = 0;
  pid_t second = 0;
  ASSERT_EQ(std::sscanf(both.c_str(), "%d %d", &first, &second), 2) << both;
  ASSERT_TRUE(alive(first) && alive(second));
  ::kill(gateway, SIGKILL);
  ::waitpid(gateway, nullptr, 0);
  EXPECT_TRUE(comes_true([&] { return !alive(first) && !alive(second); }));
}

// A program that embeds us may wait for any child of its own, or ignore SIGCHLD altogether.
TEST(Child, IsInvisibleToThoseWhoWaitForAnyChild) {
  const auto before = ::signal(SIGCHLD, SIG_IGN);
  auto child = Child::start(shell("exit 6"));
  ASSERT_TRUE(child.ok());
  EXPECT_EQ(::waitpid(-1, nullptr, 0), -1);
  EXPECT_EQ(errno, ECHILD);
  EXPECT_EQ(child->reap().code, 6);
  ::signal(SIGCHLD, before);
}

TEST(Child, ManyAtOnceDoNotHoldEachOthersPipes) {
  std::vector<Child> children;
  std::vector<UniqueFd> outputs;
  for (int i = 0; i < 20; ++i) {
    auto child = Child::start(shell(i == 0 ? "echo first" : "exec sleep 1000"));
    ASSERT_TRUE(child.ok());
    outputs.push_back(child->take_out());
    children.push_back(std::move(child).value());
  }
  EXPECT_EQ(read_all(outputs[0]), "first\n") << "its end comes although the others live";
}

}  // namespace
}  // namespace glovebox::base
