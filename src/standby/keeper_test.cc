// One engine for one command, which is as confined as the keeper is; and who dies with whom.
#include "standby/keeper.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <functional>
#include <set>
#include <vector>

#include "standby/keeper_fixture.h"
#include "standby/leave.h"

namespace glovebox::standby {
namespace {

using Keeper = WithKeeper;

TEST_F(Keeper, GivesEveryCommandAnotherEngine) {
  start_keeper();
  std::set<pid_t> engines;
  for (int i = 0; i < 3; ++i) engines.insert(get_engine().pid);
  EXPECT_EQ(engines.size(), 3u);
}

TEST_F(Keeper, GivesNoEngineWhileOneIsInUse) {
  start_keeper();
  const StandbyEngine engine = get_engine();
  for (int i = 0; i < 20; ++i) EXPECT_FALSE(request_engine());
  EXPECT_FALSE(has_ended(engine.pidfd));
}

TEST_F(Keeper, GivesAnEngineToOneOfManyWhoAskAtOnce) {
  start_keeper();
  // On a busy machine all of them may give up before the keeper gets to answer.
  for (int rounds = 0; rounds < 3;) {
    wait_until_ready();
    int go[2];
    int rest[2];
    ASSERT_EQ(::pipe(go) | ::pipe(rest), 0);
    std::vector<pid_t> commands;
    for (int i = 0; i < 8; ++i) {
      commands.push_back(start_copy([&] {
        char byte;
        ::close(go[1]);
        ::close(rest[1]);
        (void)!::read(go[0], &byte, 1);
        const auto engine = request_engine();
        if (!engine) return 0;
        (void)!::read(rest[0], &byte, 1);  // none gives its engine back while others may still ask
        return 1;
      }));
    }
    ::close(go[1]);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    ::close(rest[1]);
    int given = 0;
    for (const pid_t command : commands) given += wait_for(command);
    ASSERT_LE(given, 1);
    rounds += given;
    ::close(go[0]);
    ::close(rest[0]);
  }
}

TEST_F(Keeper, KillsTheEngineOfACommandThatIsKilled) {
  start_keeper();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t command = start_copy([&] {
    const StandbyEngine engine = get_engine();
    (void)!::write(ends[1], &engine.pid, sizeof engine.pid);
    ::pause();
    return 0;
  });
  pid_t pid = 0;
  ASSERT_EQ(::read(ends[0], &pid, sizeof pid), static_cast<ssize_t>(sizeof pid));
  const base::UniqueFd engine(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  EXPECT_FALSE(has_ended(engine));
  ::kill(command, SIGKILL);
  wait_for(command);
  wait_until([&] { return has_ended(engine); });
}

// A process that the command has started may hold what the command held.
TEST_F(Keeper, KillsTheEngineEvenIfAChildOfItsCommandLives) {
  start_keeper();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t command = start_copy([&] {
    const StandbyEngine engine = get_engine();
    const pid_t child = ::fork();
    if (child == 0) {
      for (;;) ::pause();
    }
    const pid_t pids[] = {engine.pid, child};
    (void)!::write(ends[1], pids, sizeof pids);
    ::pause();
    return 0;
  });
  pid_t pids[2] = {};
  ASSERT_EQ(::read(ends[0], pids, sizeof pids), static_cast<ssize_t>(sizeof pids));
  const base::UniqueFd engine(static_cast<int>(::syscall(SYS_pidfd_open, pids[0], 0)));
  ::kill(command, SIGKILL);
  wait_for(command);
  wait_until([&] { return has_ended(engine); });
  ::kill(pids[1], SIGKILL);
}

TEST_F(Keeper, TakesItsEngineWithIt) {
  start_keeper();
  const StandbyEngine engine = get_engine();
  stop_keeper();
  wait_until([&] { return has_ended(engine.pidfd); });
}

TEST_F(Keeper, ReportsHowTheEngineEnded) {
  start_keeper();
  const StandbyEngine engine = get_engine();
  ::kill(engine.pid, SIGKILL);
  pollfd answer{engine.keeper.get(), POLLIN, 0};
  ASSERT_EQ(::poll(&answer, 1, -1), 1);
  int status = 0;
  ASSERT_EQ(::recv(engine.keeper.get(), &status, sizeof status, 0), static_cast<ssize_t>(sizeof status));
  EXPECT_EQ(status, SIGKILL);
  // Not reaped, so that its pid is not another's.
  EXPECT_EQ(::kill(engine.pid, 0), 0);
}

TEST_F(Keeper, EndsWhenNoCommandComes) {
  start_keeper(std::chrono::milliseconds(1));
  EXPECT_EQ(wait_for(keeper_), 0);
  keeper_ = 0;
  EXPECT_FALSE(std::filesystem::exists(socket_path()));
}

TEST_F(Keeper, EndsWithAnEngineThatEndsBeforeItIsUsed) {
  start_keeper();
  wait_until_ready();
  std::ifstream children("/proc/" + std::to_string(keeper_) + "/task/" + std::to_string(keeper_) + "/children");
  pid_t engine = 0;
  ASSERT_TRUE(children >> engine);
  // Its guest is sealed, so it has booted.
  wait_until([&] {
    std::ifstream status("/proc/" + std::to_string(engine) + "/status");
    return std::string(std::istreambuf_iterator<char>(status), {}).find("\nSeccomp:\t2\n") != std::string::npos;
  });
  ::kill(engine, SIGKILL);
  EXPECT_EQ(wait_for(keeper_), 0);
  keeper_ = 0;
}

TEST_F(Keeper, IsOnlyOne) {
  start_keeper();
  wait_until_ready();
  const pid_t second = start_copy([] { return keep_standby(folder_path(), std::chrono::hours(1)); });
  EXPECT_EQ(wait_for(second), 1);
}

TEST_F(Keeper, TakesThePlaceOfOneThatWasKilled) {
  start_keeper();
  (void)get_engine();
  stop_keeper();
  EXPECT_FALSE(request_engine());
  // Its engine may just have been born, and hold what it held.
  wait_until([] { return find_keeper() == 0; });
  start_keeper();
  (void)get_engine();
}

TEST_F(Keeper, UsesNoFolderThatIsOpenToOthers) {
  ::chmod(folder_path().c_str(), 0755);
  start_keeper();
  EXPECT_EQ(wait_for(keeper_), 1);
  keeper_ = 0;
}

// Whatever distinguishes a command from the keeper, it would have started its engine otherwise.
TEST_F(Keeper, RefusesACommandInAnotherState) {
  start_keeper();
  const auto limit = [](auto resource) {
    return [resource] {
      const rlimit little{1000, 1000};
      return ::setrlimit(resource, &little) == 0;
    };
  };
  const auto unshare = [](int flags) {
    return [flags] { return ::unshare(::geteuid() == 0 ? flags : flags | CLONE_NEWUSER) == 0; };
  };
  // Each makes the change, and says whether this machine allows it.
  const std::pair<const char*, std::function<bool()>> changes[] = {
      {"umask", [] { return ::umask(0077) != 0077; }},
      {"nice", [] { return ::nice(5) != -1; }},
      {"files", limit(RLIMIT_NOFILE)},
      {"memory", limit(RLIMIT_MEMLOCK)},
      {"cpu", limit(RLIMIT_CPU)},
      {"no new privileges", [] { return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0; }},
      {"seccomp",
       [] {
         sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
         const sock_fprog filter{1, &allow};
         ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
         return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
       }},
      {"user namespace", unshare(CLONE_NEWUSER)},
      {"mount namespace", unshare(CLONE_NEWNS)},
      {"time namespace of children", unshare(CLONE_NEWTIME)},
      {"network namespace", unshare(CLONE_NEWNET)},
      {"pid namespace of children", unshare(CLONE_NEWPID)},
      {"bounding set", [] { return ::prctl(PR_CAPBSET_DROP, CAP_NET_RAW, 0, 0, 0) == 0; }},
      {"core",
       [] {
         cpu_set_t one;
         CPU_ZERO(&one);
         CPU_SET(static_cast<unsigned>(::sched_getcpu()), &one);
         return ::sched_setaffinity(0, sizeof one, &one) == 0;
       }},
      // To an ordinary user it shows nothing then; root examines everything.
      {"not to be examined", [] { return ::geteuid() != 0 && ::prctl(PR_SET_DUMPABLE, 0) == 0; }},
      {"killed first",
       [] {
         const base::UniqueFd file(::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC));
         return ::write(file.get(), "500", 3) == 3;
       }},
  };
  for (const auto& [name, change] : changes) {
    wait_until_ready();
    const pid_t waiting = waiting_engine();
    EXPECT_NE(what_is_given_after(change), Given::kEngine) << name;
    // The keeper refused, and for the change: it gives this very engine to one without it.
    EXPECT_EQ(get_engine().pid, waiting) << name;
  }
}

// It could not end the engine, which is outside of its domain. The kernel shows nothing of that to the keeper.
TEST_F(Keeper, GivesNoEngineToACommandThatMayNotEndIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "others need another state for it, which is refused";
  start_keeper();
  wait_until_ready();
  const auto enter_domain = [] {
    struct {
      std::uint64_t files, net, scoped;
    } const signals{0, 0, 2};  // LANDLOCK_SCOPE_SIGNAL, since Linux 6.12
    const long rules = ::syscall(SYS_landlock_create_ruleset, &signals, sizeof signals, 0);
    return rules >= 0 && ::syscall(SYS_landlock_restrict_self, rules, 0) == 0;
  };
  EXPECT_NE(what_is_given_after(enter_domain), Given::kEngine);
}

TEST_F(Keeper, RefusesAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  start_keeper();
  wait_until_ready();
  // As if folder and socket did not keep others away.
  for (std::filesystem::path path = socket_path(); path.string().find("standby_") != std::string::npos;
       path = path.parent_path())
    ::chmod(path.c_str(), 0777);
  const base::UniqueFd folder(::open(folder_path().c_str(), O_PATH | O_CLOEXEC));
  const std::string name = socket_name();
  const pid_t other = start_copy([&] {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0 || ::prctl(PR_SET_DUMPABLE, 1) != 0) return 2;
    const base::UniqueFd connection(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    const sockaddr_un address = address_in(folder, name);
    if (::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 3;
    char byte;
    return ::recv(connection.get(), &byte, 1, 0) == 0 ? 0 : 4;
  });
  EXPECT_EQ(wait_for(other), 0);
}

// It connected as a command of the keeper's build, and is another program by the time the keeper looks.
TEST_F(Keeper, RefusesAnotherProgram) {
  start_keeper();
  wait_until_ready();
  const base::UniqueFd folder(::open(folder_path().c_str(), O_PATH | O_CLOEXEC));
  const sockaddr_un address = address_in(folder, socket_name());
  const auto ask = [&](bool become_another) {
    wait_until_ready();
    ::kill(keeper_, SIGSTOP);
    ::waitpid(keeper_, nullptr, WUNTRACED);
    const base::UniqueFd connection(::socket(AF_UNIX, SOCK_SEQPACKET, 0));
    const pid_t command = start_copy([&] {
      if (::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return 3;
      ::kill(::getpid(), SIGSTOP);
      if (become_another) ::execl("/bin/sleep", "sleep", "1000", nullptr);
      ::pause();
      return 0;
    });
    ::waitpid(command, nullptr, WUNTRACED);
    ::kill(command, SIGCONT);
    if (become_another) {
      wait_until([&] {
        return std::filesystem::read_symlink("/proc/" + std::to_string(command) + "/exe").filename() !=
               std::filesystem::read_symlink("/proc/self/exe").filename();
      });
    }
    ::kill(keeper_, SIGCONT);
    char byte[8];
    const ssize_t got = ::recv(connection.get(), byte, sizeof byte, 0);
    ::kill(command, SIGKILL);
    wait_for(command);
    return got > 0;
  };
  EXPECT_FALSE(ask(true));
  EXPECT_TRUE(ask(false));
}

}  // namespace
}  // namespace glovebox::standby
