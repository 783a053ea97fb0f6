// An engine in standby is one that `glovebox exec` could have started itself: as sealed, for one run, gone with it, and
// kept by a process that holds nothing of the command that left it.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/unique_fd.h"
#include "command.h"
#include "oracle/eventually.h"
#include "oracle/process_view.h"
#include "standby/leave.h"
#include "standby/request.h"

namespace glovebox::attack {
namespace {

std::vector<std::string> command_of(const std::string& code, const std::vector<std::string>& options = {}) {
  std::vector<std::string> words = {glovebox_program(), "exec", "-e", code};
  words.insert(words.end(), options.begin(), options.end());
  return words;
}

std::string link_of(pid_t pid, const std::string& name) {
  return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/" + name).string();
}

// A sealed guest beneath a process, if there is one.
pid_t guest_of(pid_t ancestor) {
  for (const ProcessView& process : descendants_of(ancestor))
    if (is_sealed(process.pid)) return process.pid;
  return 0;
}

bool is_running(pid_t pid) {
  const std::string stat = read_proc(pid, "stat");
  const std::size_t name_end = stat.rfind(')');
  return name_end != stat.npos && stat.substr(name_end, 3) == ") R";
}

bool has_process_for(const std::string& word) {
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string command = read_proc(std::atoi(entry.path().filename().c_str()), "cmdline");
    if (command.find('\0' + word + '\0') != command.npos) return true;
  }
  return false;
}

// It holds an engine, and none that it started.
bool uses_engine_in_standby(pid_t command) {
  const auto descriptors = descriptors_of(command);
  return descendants_of(command).empty() &&
         std::any_of(descriptors.begin(), descriptors.end(),
                     [](const std::string& one) { return one.ends_with("anon_inode:[pidfd]"); });
}

class Standby : public testing::Test {
 protected:
  Standby() {
    EXPECT_TRUE(::mkdtemp(home_.data()));
    ::setenv("XDG_RUNTIME_DIR", home_.c_str(), 1);
  }
  ~Standby() override {
    end_keeper();
    ::unsetenv(standby::kVariable);
    ::unsetenv("XDG_RUNTIME_DIR");
    std::filesystem::remove_all(home_);
  }

  static void want_standby(bool wanted = true) { ::setenv(standby::kVariable, wanted ? "5m" : "", 1); }

  static pid_t keeper() { return standby::find_keeper(); }

  // Waits until it keeps an engine that is sealed, and would be used.
  static pid_t keeper_with_engine() {
    want_standby();
    EXPECT_EQ(run_command(command_of("1")).exit_code, 0);
    EXPECT_TRUE(eventually([] { return keeper() != 0 && guest_of(keeper()) != 0; }));
    return keeper();
  }

  static void end_keeper() {
    const pid_t pid = keeper();
    if (pid == 0) return;
    ::kill(pid, SIGKILL);
    EXPECT_TRUE(eventually([&] { return !is_alive(pid); }));
  }

 private:
  std::string home_ = testing::TempDir() + "/standby_XXXXXX";
};

TEST_F(Standby, NothingStaysUnlessTheOwnerWantsIt) {
  want_standby(false);
  EXPECT_EQ(run_command(command_of("1")).exit_code, 0);
  for (const char* impossible : {"x", "2h", "0", "-1s"}) {
    ::setenv(standby::kVariable, impossible, 1);
    EXPECT_EQ(run_command(command_of("1")).exit_code, 0) << impossible;
  }
  EXPECT_FALSE(std::filesystem::exists(std::string(::getenv("XDG_RUNTIME_DIR")) + "/glovebox"));
}

TEST_F(Standby, NothingIsMadeInTheFolderOfAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "an ordinary user can make nothing there";
  const std::string folder = ::getenv("XDG_RUNTIME_DIR");
  ASSERT_EQ(::chown(folder.c_str(), 65534, 65534), 0);
  want_standby();
  EXPECT_EQ(run_command(command_of("1")).exit_code, 0);
  ::setenv("XDG_RUNTIME_DIR", (folder + "/missing").c_str(), 1);
  EXPECT_EQ(run_command(command_of("1")).exit_code, 0);
  ::setenv("XDG_RUNTIME_DIR", folder.c_str(), 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
}

// While a command runs, an upgrade replaces the program. What then begins must not look for its parts by names that
// lead from the working folder, which may be a repository that was cloned.
TEST_F(Standby, NoLibraryComesFromTheWorkingFolder) {
  const std::string home = ::getenv("XDG_RUNTIME_DIR");
  const std::string bin = home + "/bin", planted = home + "/repository/libexec/glovebox";
  for (const std::string& folder : {bin, planted, home + "/repository/src"})
    std::filesystem::create_directories(folder);
  for (const auto& part : std::filesystem::directory_iterator(std::filesystem::path(glovebox_program()).parent_path()))
    std::filesystem::create_symlink(part.path(), bin + "/" + part.path().filename().string());
  std::filesystem::remove(bin + "/glovebox");
  std::filesystem::copy_file(glovebox_program(), bin + "/glovebox");
  std::filesystem::copy_file(glovebox_program(), home + "/newer");
  { std::ofstream(planted + "/libglovebox-light.so") << "not a library"; }
  const base::UniqueFd opened(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC));
  ASSERT_GE(::inotify_add_watch(opened.get(), planted.c_str(), IN_OPEN), 0);
  want_standby();
  std::vector<std::string> words = {"env", "-C", home + "/repository/src", bin + "/glovebox"};
  for (const char* word : {"exec", "--timeout", "60s", "-e", "for (;;) ;"}) words.emplace_back(word);
  Background command(words);
  ASSERT_TRUE(eventually([&] { return guest_of(command.pid()) != 0; }));
  std::filesystem::rename(home + "/newer", bin + "/glovebox");
  ::kill(command.pid(), SIGINT);
  int status = 0;
  ASSERT_EQ(::waitpid(command.pid(), &status, 0), command.pid());
  // A process that was left has looked for its library when it has ended, or keeps an engine.
  EXPECT_TRUE(eventually([&] { return keeper() != 0 || !has_process_for(home + "/glovebox/standby"); }));
  char event[4096];
  EXPECT_LT(::read(opened.get(), event, sizeof event), 0) << "it was opened";
}

// That the output ends is part of it: whoever reads it would wait for the keeper otherwise.
TEST_F(Standby, KeeperHoldsNothingOfTheCommand) {
  const std::string folder = std::string(::getenv("XDG_RUNTIME_DIR")) + "/project";
  std::filesystem::create_directory(folder);
  ::setenv("OWNERS_SECRET", "xyzzy-5309", 1);
  const base::UniqueFd inherited(::open((folder + "/file").c_str(), O_RDWR | O_CREAT, 0600));
  ASSERT_LT(::fcntl(inherited.get(), F_GETFD), FD_CLOEXEC);
  want_standby();
  EXPECT_EQ(run_command({"env", "-C", folder, glovebox_program(), "exec", "-e", "'plugh-' + '7214'"}).exit_code, 0);
  ::unsetenv("OWNERS_SECRET");
  ASSERT_TRUE(eventually([] { return keeper() != 0 && guest_of(keeper()) != 0; }));
  const pid_t pid = keeper();
  EXPECT_EQ(link_of(pid, "cwd"), "/");
  EXPECT_EQ(::getsid(pid), pid);
  EXPECT_EQ(read_proc(pid, "environ"), "");
  for (const std::string& descriptor : descriptors_of(pid)) {
    const std::string target = descriptor.substr(descriptor.find(' ') + 1);
    const bool own = target == "/dev/null" || target.starts_with("socket:") || target == "anon_inode:[pidfd]" ||
                     target.find("/glovebox/standby") != target.npos;
    EXPECT_TRUE(own) << descriptor;
  }
  for (const std::string& bytes : {std::string("xyzzy-") + "5309", std::string("plugh-") + "'"}) {
    const MemorySearch search = search_memory(pid, bytes);
    EXPECT_GT(search.bytes_read, 0u);
    EXPECT_EQ(search.mappings_with_it, 0u) << bytes;
  }
}

TEST_F(Standby, GuestIsAsSealedAsAnother) {
  const auto seal_of = [](pid_t guest) {
    std::map<std::string, std::string> seal;
    for (const char* field : {"Uid", "Gid", "Groups", "CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb", "NoNewPrivs",
                              "Seccomp", "Seccomp_filters", "SigIgn", "SigBlk", "SigCgt", "Umask", "Threads"})
      seal[field] = status_field(guest, field);
    for (const char* resource : {"Max core file size", "Max file size", "Max locked memory", "Max msgqueue size",
                                 "Max nice priority", "Max processes", "Max open files", "Max pending signals"})
      seal[resource] = limit_of(guest, resource);
    for (const char* file : {"cgroup", "oom_score_adj", "environ", "uid_map", "gid_map"})
      seal[file] = read_proc(guest, file);
    for (const char* kind : {"user", "pid", "mnt", "net", "ipc", "uts", "cgroup"})
      seal[kind] = namespace_of(guest, kind) == namespace_of(::getpid(), kind) ? "ours" : "its own";
    seal["descriptors"] = std::to_string(descriptors_of(guest).size());
    seal["session"] = ::getsid(guest) == ::getsid(0) ? "ours" : "its own";
    return seal;
  };
  const std::string forever = "for (;;) ;";
  want_standby(false);
  const Background cold(command_of(forever, {"--timeout", "60s"}));
  pid_t guest = 0;
  ASSERT_TRUE(eventually([&] { return (guest = guest_of(cold.pid())) != 0; }));
  const auto usual = seal_of(guest);
  const pid_t keeper = keeper_with_engine();
  EXPECT_EQ(seal_of(guest_of(keeper)), usual);  // while it waits
  const Background warm(command_of(forever, {"--timeout", "60s"}));
  ASSERT_TRUE(eventually([&] { return is_running(guest_of(keeper)); }));
  EXPECT_TRUE(descendants_of(warm.pid()).empty());
  EXPECT_EQ(seal_of(guest_of(keeper)), usual);  // while it runs
}

TEST_F(Standby, GuestIsGoneWithItsCommand) {
  const pid_t keeper = keeper_with_engine();
  for (const char* code : {"for (;;) ;", "await new Promise(() => {})", "for (;;) console.log('x'.repeat(1000))"}) {
    ASSERT_TRUE(eventually([&] { return guest_of(keeper) != 0; }));
    const pid_t guest = guest_of(keeper);
    Background command(command_of(code, {"--timeout", "60s"}));
    ASSERT_TRUE(eventually([&] { return uses_engine_in_standby(command.pid()); })) << code;
    command.kill_and_reap();
    EXPECT_TRUE(eventually([&] { return !is_alive(guest); })) << code;
  }
}

TEST_F(Standby, GuestIsGoneWithTheKeeper) {
  const pid_t keeper = keeper_with_engine();
  const pid_t guest = guest_of(keeper);
  Background command(command_of("for (;;) ;", {"--timeout", "60s"}));
  ASSERT_TRUE(eventually([&] { return is_running(guest); }));
  end_keeper();
  EXPECT_TRUE(eventually([&] { return !is_alive(guest); }));
  // The command notices, and says so.
  int status = 0;
  ASSERT_EQ(::waitpid(command.pid(), &status, 0), command.pid());
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) != 0) << status;
}

TEST_F(Standby, DoctorShowsIt) {
  const auto line_of_doctor = [] {
    const std::string text = run_command({glovebox_program(), "doctor"}).output;
    const std::size_t at = text.find("standby   ");
    return at == text.npos ? text : text.substr(at, text.find("\nTried once", at) - at);
  };
  want_standby(false);
  EXPECT_TRUE(line_of_doctor().ends_with(" off"));
  const pid_t keeper = keeper_with_engine();
  EXPECT_TRUE(line_of_doctor().ends_with(" process " + std::to_string(keeper) + " keeps an engine"));
  ::setenv(standby::kVariable, "2h", 1);
  EXPECT_TRUE(line_of_doctor().ends_with("takes a duration of at most an hour, such as 60s"));
  want_standby();
  end_keeper();
  ::chmod((std::string(::getenv("XDG_RUNTIME_DIR")) + "/glovebox/standby").c_str(), 0755);
  EXPECT_NE(line_of_doctor().find("is not used: others have access to it"), std::string::npos);
}

// What a run does to its engine is not there for the next one.
TEST_F(Standby, NothingGoesFromOneRunToTheNext) {
  const pid_t keeper = keeper_with_engine();
  std::set<std::string> random;
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(eventually([&] { return guest_of(keeper) != 0; }));
    const pid_t guest = guest_of(keeper);
    const CommandResult run =
        run_command(command_of("const before = [globalThis.left, [].left, Object.keys(globalThis).includes('left')];"
                               "globalThis.left = 1; Array.prototype.left = 1;"
                               "console.log(before.join()); return Math.random()"));
    EXPECT_TRUE(run.errors.starts_with(",,false\n")) << run.errors;
    random.insert(run.output);
    EXPECT_TRUE(eventually([&] { return !is_alive(guest); })) << "it has another engine";
  }
  EXPECT_EQ(random.size(), 3u);
}

TEST_F(Standby, RunsEndAsTheyDoWithoutIt) {
  const std::vector<std::vector<std::string>> commands = {
      command_of("console.log('a'); return {b: [1, 2]}"),
      command_of("throw new TypeError('no')"),
      command_of("const x: number = 1; enum E { A = 4 } return x + E.A"),
      command_of("return await Deno.readTextFile('/etc/passwd')"),
      command_of("for (;;) ;", {"--cpu", "50ms"}),
      command_of("await new Promise((done) => setTimeout(done, 1e6))", {"--timeout", "50ms"}),
      command_of("const hoard = []; for (;;) hoard.push(new Array(1000).fill(1))", {"--memory", "64MB"}),
      command_of("return [Math.random(), Date.now()]", {"--seed", "s", "--now", "2026-01-01"}),
  };
  want_standby(false);
  std::vector<CommandResult> usual;
  for (const auto& command : commands) usual.push_back(run_command(command));
  const pid_t keeper = keeper_with_engine();
  for (std::size_t i = 0; i < commands.size(); ++i) {
    ASSERT_TRUE(eventually([&] { return guest_of(keeper) != 0; }));
    const pid_t guest = guest_of(keeper);
    const CommandResult now = run_command(commands[i]);
    EXPECT_TRUE(eventually([&] { return !is_alive(guest); })) << "it was not used";
    EXPECT_EQ(now.exit_code, usual[i].exit_code) << commands[i][3];
    EXPECT_EQ(now.output, usual[i].output) << commands[i][3];
    EXPECT_EQ(now.errors, usual[i].errors) << commands[i][3];
  }
}

// Who is held more tightly starts an engine that is, too.
TEST_F(Standby, IsNotForACommandUnderMoreRestrictions) {
  const pid_t keeper = keeper_with_engine();
  const pid_t waiting = guest_of(keeper);
  for (const std::vector<std::string>& before : std::vector<std::vector<std::string>>{{"prlimit", "--nofile=512:512"},
                                                                                      {"setpriv", "--no-new-privs"},
                                                                                      {"nice", "-n", "3"},
                                                                                      {"taskset", "-c", "0"}}) {
    std::vector<std::string> command = before;
    for (const std::string& word : command_of("for (;;) ;", {"--timeout", "60s"})) command.push_back(word);
    const Background restricted(command);
    EXPECT_TRUE(eventually([&] { return guest_of(restricted.pid()) != 0; })) << before[0];
    EXPECT_EQ(guest_of(keeper), waiting) << before[0];
    EXPECT_FALSE(is_running(waiting)) << before[0];
  }
}

}  // namespace
}  // namespace glovebox::attack
