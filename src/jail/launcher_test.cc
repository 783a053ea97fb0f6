// Starting a real zygote, and the many ways in which that can fail.
#include "jail/launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/engine/used_pages.h"
#include "base/program_part.h"
#include "base/sockets/socket_pair.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

LaunchSpec working_spec() {
  return {base::program_part("glovebox-engine"), base::program_part("libglovebox-guest.so"), 0, false};
}

std::set<pid_t> children() {
  std::ifstream file("/proc/thread-self/children");
  std::set<pid_t> pids;
  for (pid_t pid; file >> pid;) pids.insert(pid);
  return pids;
}

std::size_t open_descriptors() {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator("/proc/self/fd"), {}));
}

std::string link_of(pid_t pid, const char* name) {
  return std::filesystem::read_symlink("/proc/" + std::to_string(pid) + "/" + name).string();
}

std::string status_of(pid_t pid, const std::string& field) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/status");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(field + ":")) continue;
    const std::size_t value = line.find_first_not_of(" \t", field.size() + 1);
    return value == std::string::npos ? "" : line.substr(value);
  }
  return "(none)";
}

// Every refusal must leave the process as it found it.
class Refused : public testing::Test {
 protected:
  std::string message_of(const LaunchSpec& spec, ErrorCode expected) {
    const std::size_t descriptors = open_descriptors();
    const auto zygote = ZygoteProcess::launch(spec);
    EXPECT_FALSE(zygote.ok());
    if (zygote.ok()) return "";
    EXPECT_EQ(static_cast<int>(zygote.failure().code), static_cast<int>(expected)) << zygote.failure().message;
    EXPECT_TRUE(children().empty());
    EXPECT_EQ(open_descriptors(), descriptors);
    return zygote.failure().message;
  }

  Refused() : folder_(testing::TempDir() + "/launcher_test_XXXXXX") { EXPECT_TRUE(::mkdtemp(folder_.data())); }
  ~Refused() override { std::filesystem::remove_all(folder_); }

  std::string write_file(const std::string& name, const std::string& text) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << text;
    ::chmod(path.c_str(), 0755);
    return path;
  }

  std::string folder_;
};

TEST_F(Refused, WithoutAnEngine) {
  LaunchSpec spec = working_spec();
  spec.engine_path = "/nowhere/engine";
  EXPECT_EQ(message_of(spec, ErrorCode::kNotFound),
            "the engine /nowhere/engine: No such file or directory; " + std::string(base::kIncompleteCopy));
}

TEST_F(Refused, WithoutAGuestLibrary) {
  LaunchSpec spec = working_spec();
  spec.library_path = "/nowhere/guest.so";
  EXPECT_EQ(message_of(spec, ErrorCode::kNotFound),
            "the guest library /nowhere/guest.so: No such file or directory; " + std::string(base::kIncompleteCopy));
}

TEST_F(Refused, WhenTheEngineIsNoProgram) {
  LaunchSpec spec = working_spec();
  spec.engine_path = write_file("engine.txt", "not a program\n");
  EXPECT_EQ(message_of(spec, ErrorCode::kSandboxUnavailable),
            "the zygote could not start: starting the engine: Exec format error");
}

TEST_F(Refused, WhenTheEngineMayNotBeExecuted) {
  LaunchSpec spec = working_spec();
  spec.engine_path = write_file("engine.txt", "");
  ::chmod(spec.engine_path.c_str(), 0644);
  EXPECT_EQ(message_of(spec, ErrorCode::kSandboxUnavailable),
            "the zygote could not start: starting the engine: Permission denied");
}

// The preload fails in it, or it ends silently: either way the boot is not waited for.
TEST_F(Refused, WhenTheEngineIsAnotherProgram) {
  LaunchSpec spec = working_spec();
  spec.engine_path = "/bin/true";
  EXPECT_EQ(message_of(spec, ErrorCode::kSandboxUnavailable), "the zygote ended while it booted");
}

TEST_F(Refused, WithoutABootImage) {
  LaunchSpec spec = working_spec();
  spec.library_path = write_file("lonely.so", "");
  EXPECT_EQ(
      message_of(spec, ErrorCode::kNotFound),
      "the boot image " + folder_ + "/lonely.image: No such file or directory; " + std::string(base::kIncompleteCopy));
}

// The loader ignores it, and the engine then ends, since nothing tells it what to do.
TEST_F(Refused, WhenTheLibraryIsNoGuest) {
  LaunchSpec spec = working_spec();
  spec.library_path = write_file("empty.so", "");
  write_file("empty.image", "");
  EXPECT_EQ(message_of(spec, ErrorCode::kSandboxUnavailable), "the zygote ended while it booted");
}

class Launched : public testing::Test {
 protected:
  Launched() : zygote_(ZygoteProcess::launch(working_spec())) {
    if (!zygote_.ok()) {
      ADD_FAILURE() << zygote_.failure().message;
      return;
    }
    const auto pids = children();
    EXPECT_EQ(pids.size(), 1u);
    if (!pids.empty()) pid_ = *pids.begin();
  }
  ~Launched() override {
    // Whatever the test did with it, it must be gone in the end.
    zygote_ = Failure{ErrorCode::kSystem, "ended"};
    EXPECT_TRUE(children().empty());
  }

  Result<ZygoteProcess> zygote_;
  pid_t pid_ = -1;
};

TEST_F(Launched, LivesInNamespacesOfItsOwn) {
  ASSERT_GT(pid_, 0);
  for (const char* name : {"ns/user", "ns/pid", "ns/mnt", "ns/net", "ns/ipc", "ns/uts", "ns/cgroup"}) {
    EXPECT_NE(link_of(pid_, name), link_of(::getpid(), name)) << name;
  }
}

TEST_F(Launched, GoesFirstWhereMemoryIsShort) {
  ASSERT_GT(pid_, 0);
  std::ifstream file("/proc/" + std::to_string(pid_) + "/oom_score_adj");
  int adjustment = 0;
  ASSERT_TRUE(file >> adjustment);
  EXPECT_EQ(adjustment, 1000);
}

TEST_F(Launched, HasNoAuthority) {
  ASSERT_GT(pid_, 0);
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"}) {
    EXPECT_EQ(status_of(pid_, set), "0000000000000000") << set;
  }
  EXPECT_EQ(status_of(pid_, "NoNewPrivs"), "1");
  EXPECT_EQ(status_of(pid_, "Threads"), "1") << "a fork carries over one thread only";
  EXPECT_EQ(status_of(pid_, "Groups"), ::geteuid() == 0 ? "" : status_of(::getpid(), "Groups"));
  if (::geteuid() == 0) {
    const std::string id = std::to_string(kGuestUid);
    EXPECT_EQ(status_of(pid_, "Uid"), id + "\t" + id + "\t" + id + "\t" + id);
    EXPECT_EQ(status_of(pid_, "Gid"), id + "\t" + id + "\t" + id + "\t" + id);
  }
}

// It denies nothing; the filters of the guests take less time to install behind it.
TEST_F(Launched, HasAFilterOfItsOwn) {
  ASSERT_GT(pid_, 0);
  const auto filters = [](pid_t pid) { return std::stoi(status_of(pid, "Seccomp_filters")); };
  EXPECT_EQ(filters(pid_), filters(::getpid()) + 1);
}

TEST_F(Launched, SeesAnEmptyRootAndFewDescriptors) {
  ASSERT_GT(pid_, 0);
  const std::string proc = "/proc/" + std::to_string(pid_);
  if (::geteuid() != 0) GTEST_SKIP() << "only root may look into a process that is not dumpable";
  EXPECT_TRUE(std::filesystem::is_empty(proc + "/root/"));
  for (const auto& entry : std::filesystem::directory_iterator(proc + "/fd")) {
    if (entry.path().filename() == "2") continue;  // the gateway's own stderr, for the loader's error messages
    const std::string target = std::filesystem::read_symlink(entry.path()).string();
    EXPECT_TRUE(target == "/dev/null" || target.starts_with("socket:") || target.starts_with("anon_inode:"))
        << "the zygote holds " << target;
  }
}

// Seen from within its namespaces, with every capability there.
TEST_F(Launched, HasNoNameOfTheHostAndMakesNoUserNamespace) {
  ASSERT_GT(pid_, 0);
  if (::geteuid() != 0) GTEST_SKIP() << "only root may enter a process that is not dumpable";
  const pid_t child = ::fork();
  if (child == 0) {
    const std::string proc = "/proc/" + std::to_string(pid_) + "/ns/";
    for (const char* name : {"user", "uts"}) {
      const int space = ::open((proc + name).c_str(), O_RDONLY | O_CLOEXEC);
      if (space < 0 || ::setns(space, 0) != 0) ::_exit(2);
    }
    utsname names{};
    if (::uname(&names) != 0 || std::string(names.nodename) != "glovebox" || *names.domainname != 0) ::_exit(3);
    ::_exit(::unshare(CLONE_NEWUSER) == -1 && errno == ENOSPC ? 0 : 4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 0) << "2: not entered, 3: a name is visible, 4: a user namespace was made";
}

TEST_F(Launched, TellsNothingOfTheHostsEnvironment) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root may look into a process that is not dumpable";
  std::ifstream file("/proc/" + std::to_string(pid_) + "/environ");
  const std::string environment((std::istreambuf_iterator<char>(file)), {});
  EXPECT_EQ(environment.find("PATH="), std::string::npos);
  EXPECT_EQ(environment.find("HOME="), std::string::npos);
}

TEST_F(Launched, EndsWhenItsOwnerLetsGo) {
  ASSERT_TRUE(zygote_.ok());
  ASSERT_EQ(::kill(pid_, 0), 0);
  zygote_ = Failure{ErrorCode::kSystem, "let go"};
  EXPECT_EQ(::kill(pid_, 0), -1) << "killed and reaped";
}

TEST_F(Launched, MovesAsAWhole) {
  ASSERT_TRUE(zygote_.ok());
  ZygoteProcess first = std::move(zygote_).value();
  ZygoteProcess second = std::move(first);
  EXPECT_GE(second.control_fd(), 0);
  EXPECT_EQ(second.missing_layers(), 0u);
  EXPECT_EQ(::kill(pid_, 0), 0);
  auto other = ZygoteProcess::launch(working_spec());
  ASSERT_TRUE(other.ok());
  second = std::move(*other);
  EXPECT_EQ(::kill(pid_, 0), -1) << "assignment ends the zygote that was held";
}

// As the program passes it on: by its numbers.
pid_t start_early() {
  LaunchSpec spec = working_spec();
  spec.one_run = true;
  auto early = ZygoteProcess::start(spec, 0);
  if (!early.ok()) return 0;
  const pid_t pid = early->pid();
  ZygoteProcess::started_early().emplace(std::move(early).value());
  return pid;
}

TEST(StartedEarly, IsTakenByTheFirstLaunchForOneRun) {
  const pid_t early = start_early();
  ASSERT_GT(early, 0);
  LaunchSpec spec = working_spec();
  spec.one_run = true;
  auto zygote = ZygoteProcess::launch(spec);
  ASSERT_TRUE(zygote.ok()) << zygote.failure().message;
  EXPECT_EQ(zygote->pid(), early);
  EXPECT_TRUE(zygote->take_only_guest().valid());
  EXPECT_FALSE(ZygoteProcess::started_early().has_value());
}

TEST(StartedEarly, EndsIfTheFirstLaunchNeedsAnother) {
  const pid_t early = start_early();
  ASSERT_GT(early, 0);
  const auto zygote = ZygoteProcess::launch(working_spec());
  ASSERT_TRUE(zygote.ok()) << zygote.failure().message;
  EXPECT_NE(zygote->pid(), early);
  EXPECT_EQ(children(), std::set<pid_t>{zygote->pid()});
}

// As one that stood by: it has been greeted, and asked for its guest.
pid_t start_greeted() {
  LaunchSpec spec = working_spec();
  spec.one_run = true;
  spec.warm_typescript = false;
  auto early = ZygoteProcess::launch(spec);
  if (!early.ok()) return 0;
  const pid_t pid = early->pid();
  ZygoteProcess::started_early().emplace(std::move(early).value());
  return pid;
}

TEST(StartedEarly, IsGreetedOnce) {
  const pid_t early = start_greeted();
  ASSERT_GT(early, 0);
  LaunchSpec spec = working_spec();
  spec.one_run = true;
  spec.warm_typescript = false;
  auto zygote = ZygoteProcess::begin(spec);
  ASSERT_TRUE(zygote.ok()) << zygote.failure().message;
  EXPECT_EQ(zygote->pid(), early);
  EXPECT_TRUE(zygote->take_only_guest().valid());
  // Of its only guest, and no second answer.
  GuestReport report;
  ASSERT_EQ(::recv(zygote->control_fd(), &report, sizeof report, 0), static_cast<ssize_t>(sizeof report));
  EXPECT_EQ(report.type, MessageType::kSpawned);
  EXPECT_EQ(::recv(zygote->control_fd(), &report, sizeof report, 0), 0);
}

TEST(StartedEarly, EndsIfItWasGreetedForAnother) {
  const pid_t early = start_greeted();
  ASSERT_GT(early, 0);
  LaunchSpec spec = working_spec();
  spec.one_run = true;
  spec.warm_typescript = true;
  const auto zygote = ZygoteProcess::launch(spec);
  ASSERT_TRUE(zygote.ok()) << zygote.failure().message;
  EXPECT_NE(zygote->pid(), early);
}

// What its parent reports counts, since only that can reap it.
TEST(AnothersChild, EndsAsItsParentReports) {
  for (const bool reported : {true, false}) {
    auto pair = base::socket_pair(SOCK_SEQPACKET);
    ASSERT_TRUE(pair.ok());
    const pid_t pid = ::fork();
    if (pid == 0) ::_exit(7);
    ConfinedProcess process(pid, base::UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))), 0,
                            std::move(pair->ours));
    const int status = SIGSYS;
    if (reported) ASSERT_EQ(::send(pair->theirs.get(), &status, sizeof status, 0), static_cast<ssize_t>(sizeof status));
    pair->theirs.reset();
    EXPECT_EQ(process.reap(), reported ? SIGSYS : SIGKILL);
    ASSERT_EQ(::waitpid(pid, nullptr, 0), pid) << "it was reaped by another than its parent";
  }
}

TEST(AnothersChild, IsKilledAndNotReaped) {
  auto pair = base::socket_pair(SOCK_SEQPACKET);
  ASSERT_TRUE(pair.ok());
  const pid_t pid = ::fork();
  if (pid == 0) {
    for (;;) ::pause();
  }
  {
    const ConfinedProcess process(pid, base::UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))), 0,
                                  std::move(pair->ours));
  }
  int status = 0;
  ASSERT_EQ(::waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, SIGKILL);
}

// The build noted them while it ran a program; another engine has none at most of these addresses.
TEST(StartedEarly, HasThePagesThatTheBuildNoted) {
  const auto pages = base::read_used_pages(base::program_part("libglovebox-guest.image"));
  ASSERT_GT(pages.size(), 50u);
  std::string bytes(pages.size(), '\0');
  std::vector<iovec> places;
  for (const std::uint64_t page : pages) places.push_back({reinterpret_cast<void*>(page), 1});
  const iovec here{bytes.data(), bytes.size()};
  const auto zygote = ZygoteProcess::start(working_spec(), 0);
  ASSERT_TRUE(zygote.ok()) << zygote.failure().message;
  ssize_t mapped = -1;
  for (int attempt = 0; attempt < 6'000 && mapped != std::ssize(pages); ++attempt, ::usleep(10'000)) {
    mapped = ::process_vm_readv(zygote->pid(), &here, 1, places.data(), places.size(), 0);
    if (mapped < 0 && (errno == EPERM || errno == ENOSYS)) GTEST_SKIP() << "this user may not look at it";
  }
  EXPECT_EQ(mapped, std::ssize(pages));
}

// Whoever has lost a layer since decides with the owner's consent, which the early one did not have.
TEST(StartedEarly, EndsIfALayerIsMissing) {
  const pid_t early = start_early();
  ASSERT_GT(early, 0);
  LaunchSpec spec = working_spec();
  spec.one_run = true;
  spec.assume_missing = kWithoutTimestampTrap;
  const auto zygote = ZygoteProcess::launch(spec);
  ASSERT_TRUE(zygote.ok()) << zygote.failure().message;
  EXPECT_NE(zygote->pid(), early);
  EXPECT_EQ(children(), std::set<pid_t>{zygote->pid()});
}

}  // namespace
}  // namespace glovebox::jail
