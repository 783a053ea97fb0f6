#include "check/sealed_process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <thread>

#include "base/program_part.h"
#include "check/system_calls.h"

namespace glovebox::check {
namespace {

const std::string kProbe = base::program_part("sealed-probe-folder/sealed-probe");

SealedSpec probe_spec() {
  SealedSpec spec;
  spec.program = kProbe;
  spec.environment = {"GIVEN=yes"};
  spec.files = {{"given.txt", "given"}, {"folder/other.txt", "other"}};
  spec.memory_bytes = std::size_t{256} << 20;
  spec.cpu_seconds = 60;
  return spec;
}

std::string read_to_end(const SealedProcess& process) {
  std::string text;
  char buffer[4096];
  while (true) {
    pollfd event{process.output(), POLLIN, 0};
    ::poll(&event, 1, -1);
    const ssize_t count = ::read(process.output(), buffer, sizeof buffer);
    if (count <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(count));
  }
}

std::string run_probe(const SealedSpec& spec = probe_spec()) {
  const auto process = SealedProcess::start(spec);
  return process ? read_to_end(process.value()) : process.failure().message;
}

// Attempts that must not work, with how they end: files are not there, everything else is refused by the filter.
constexpr const char* kExpected = R"(descriptors: 0 1 2
environment: GIVEN=yes
memory: bounded
read /etc/passwd: ENOENT
read /proc/self/environ: ENOENT
read ../../etc/passwd: ENOENT
read the program's folder: works
read a given file: works
make a file: EPERM
make a file beside the program: EPERM
write a given file: EPERM
make a temporary file: EPERM
make a folder: EPERM
remove a file: EPERM
change a mode: EPERM
make a link: EPERM
root: lib proc agent 
an internet socket: EPERM
a local socket: EPERM
a netlink socket: EPERM
a pair of sockets: EPERM
io_uring: EPERM
fork: EPERM
clone3: EPERM
execute a shell: EPERM
execute itself: EPERM
execute itself by path: EPERM
execute the descriptor of its start: EBADF
a descriptor in its place: EPERM
a descriptor in its place, by fcntl: EINVAL
a program in memory: EPERM
a signal: EPERM
ptrace: EPERM
read another's memory: EPERM
a user namespace: EPERM
mount: EPERM
chroot: EPERM
become root: EPERM
raise a limit: EPERM
bpf: EPERM
keys: EPERM
executable memory: EPERM
memory made executable: EPERM
shared memory: EPERM
end
)";

TEST(SealedProcess, HoldsAProgramThatTriesEverything) {
  EXPECT_EQ(run_probe(), kExpected);
}

// Files are there then, and Landlock refuses them. What the filter refuses, it refuses as before.
TEST(SealedProcess, HoldsItWithoutNamespacesToo) {
  SealedSpec spec = probe_spec();
  spec.without_namespaces = true;
  const std::string text = run_probe(spec);
  for (const char* line : {"descriptors: 0 1 2\n", "environment: GIVEN=yes\n", "read /etc/passwd: EACCES\n",
                           "read /proc/self/environ: EACCES\n"})
    EXPECT_NE(text.find(line), text.npos) << line << text;
  const std::string filtered = std::string(kExpected).substr(std::string_view(kExpected).find("an internet socket"));
  EXPECT_NE(text.find(filtered), text.npos) << text;
  // And none of its files is left.
  for (const auto& entry : std::filesystem::directory_iterator("/tmp"))
    EXPECT_FALSE(std::filesystem::exists(entry.path() / "folder/other.txt")) << entry.path();
}

TEST(SealedProcess, IsNotStartedWithNeitherNamespacesNorLandlock) {
  SealedSpec spec = probe_spec();
  spec.without_namespaces = spec.without_landlock = true;
  EXPECT_FALSE(SealedProcess::start(spec));
}

TEST(SealedProcess, HoldsItForAnOrdinaryUserToo) {
  if (::geteuid() != 0) GTEST_SKIP() << "the other test has just done so";
  int pipe_ends[2];
  ASSERT_EQ(::pipe(pipe_ends), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setresgid(65534, 65534, 65534) != 0 || ::setresuid(65534, 65534, 65534) != 0) ::_exit(2);
    ::prctl(PR_SET_DUMPABLE, 1);  // as after a login
    const std::string text = run_probe();
    ::_exit(::write(pipe_ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 3);
  }
  ::close(pipe_ends[1]);
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = ::read(pipe_ends[0], buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(pipe_ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(text, kExpected);
}

TEST(SealedProcess, IsNotTheUserWhoStartsIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "an ordinary user has no other";
  auto process = SealedProcess::start(probe_spec());
  ASSERT_TRUE(process) << process.failure().message;
  std::ifstream facts("/proc/self/fdinfo/" + std::to_string(process->end_fd()));
  std::string pid;
  for (std::string line; std::getline(facts, line);) {
    if (line.starts_with("Pid:")) pid = line.substr(line.find_first_not_of(" \t", 4));
  }
  struct stat owner {};
  ASSERT_EQ(::stat(("/proc/" + pid).c_str(), &owner), 0);
  EXPECT_NE(owner.st_uid, 0u);
}

TEST(SealedProcess, SaysWhatIsMissing) {
  SealedSpec spec = probe_spec();
  spec.program = base::program_part("sealed-probe-folder/absent");
  const auto process = SealedProcess::start(spec);
  ASSERT_FALSE(process);
  EXPECT_NE(process.failure().message.find("open the program"), std::string::npos) << process.failure().message;
}

TEST(SealedProcess, LeavesTheFolderOfItsThread) {
  const auto before = std::filesystem::current_path();
  (void)run_probe();
  EXPECT_EQ(std::filesystem::current_path(), before);
}

// A thread that starts one and ends takes it along: nothing of it can outlive the gateway.
TEST(SealedProcess, DiesWithItsThread) {
  std::optional<SealedProcess> process;
  std::thread([&] {
    SealedSpec spec = probe_spec();
    spec.program = base::program_part("sealed-probe-folder/sealed-sleeper");
    auto started = SealedProcess::start(spec);
    ASSERT_TRUE(started) << started.failure().message;
    process.emplace(std::move(started).value());
    pollfd alive{process->end_fd(), POLLIN, 0};
    EXPECT_EQ(::poll(&alive, 1, 0), 0);
  }).join();
  ASSERT_TRUE(process);
  pollfd end{process->end_fd(), POLLIN, 0};
  EXPECT_EQ(::poll(&end, 1, -1), 1);
}

TEST(CheckerCalls, HaveNoWayOut) {
  const std::set<std::string> forbidden = {
      "socket", "connect",        "sendto",  "sendmsg",  "fork",         "vfork", "clone3",  "execve",
      "ptrace", "mount",          "unshare", "setns",    "open",         "creat", "mkdirat", "unlinkat",
      "bpf",    "io_uring_setup", "kill",    "renameat", "memfd_create", "chmod", "keyctl",  "userfaultfd"};
  for (const jail::AllowedCall& call : checker_calls()) {
    EXPECT_FALSE(forbidden.contains(call.name)) << call.name;
    EXPECT_STRNE(call.reason, "");
  }
}

}  // namespace
}  // namespace glovebox::check
