#include "check/sealed_process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <thread>

#include "base/program_part.h"
#include "check/checker_confinement.h"
#include "jail/confinement/confinement_table_fixture.h"
#include "jail/confinement/refused_calls_fixture.h"
#include "jail/zygote_protocol.h"

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

// Attempts that must fail, and how: files do not exist, everything else is refused by the filter.
constexpr const char* kExpected = R"(descriptors: 0 1 2
environment: GIVEN=yes
memory: bounded
host: glovebox
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

bool is_in_a_private_folder() {
  return ::geteuid() == 0 && !private_folder_above(kProbe).empty();
}
constexpr const char* kPrivate = "the repository is in a folder that other users may not enter";

// Files exist then, and Landlock refuses them. The filter refuses the same as before.
TEST(SealedProcess, HoldsItWithoutNamespacesToo) {
  if (is_in_a_private_folder()) GTEST_SKIP() << kPrivate;
  SealedSpec spec = probe_spec();
  spec.missing_layers = jail::kWithoutNamespaces;
  const std::string text = run_probe(spec);
  for (const char* line : {"descriptors: 0 1 2\n", "environment: GIVEN=yes\n", "read /etc/passwd: EACCES\n",
                           "read /proc/self/environ: EACCES\n"})
    EXPECT_NE(text.find(line), text.npos) << line << text;
  const std::string filtered = std::string(kExpected).substr(std::string_view(kExpected).find("an internet socket"));
  EXPECT_NE(text.find(filtered), text.npos) << text;
  // And none of its files is left.
  std::error_code not_ours;
  for (const auto& entry : std::filesystem::directory_iterator("/tmp"))
    EXPECT_FALSE(std::filesystem::exists(entry.path() / "folder/other.txt", not_ours)) << entry.path();
}

// As in a container that installs packages in root's own folder.
TEST(SealedProcess, NamesThePrivateFolderThatItsUserMayNotEnter) {
  if (::geteuid() != 0) GTEST_SKIP() << "an ordinary user keeps its rights";
  std::string folder = (std::filesystem::temp_directory_path() / "glovebox-private-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  SealedSpec spec = probe_spec();
  spec.program = folder + "/inner/sealed-probe";
  std::filesystem::create_directory(folder + "/inner");
  std::filesystem::copy_file(kProbe, spec.program);
  spec.missing_layers = jail::kWithoutNamespaces;
  const std::string text = run_probe(spec);
  EXPECT_NE(text.find("may not enter " + folder + ": install"), text.npos) << text;
  std::filesystem::remove_all(folder);
}

TEST(SealedProcess, IsNotStartedWithNeitherNamespacesNorLandlock) {
  SealedSpec spec = probe_spec();
  spec.missing_layers = jail::kWithoutNamespaces | jail::kWithoutLandlock;
  EXPECT_FALSE(SealedProcess::start(spec));
}

TEST(SealedProcess, HoldsItForAnOrdinaryUserToo) {
  if (::geteuid() != 0) GTEST_SKIP() << "the other test has just done so";
  if (is_in_a_private_folder()) GTEST_SKIP() << kPrivate;
  EXPECT_EQ(jail::said_in_a_child([] {
              if (::setresgid(65534, 65534, 65534) != 0 || ::setresuid(65534, 65534, 65534) != 0) return std::string();
              ::prctl(PR_SET_DUMPABLE, 1);  // as after a login
              return run_probe();
            }),
            kExpected);
}

// Docker's filter refuses unshare to users other than root.
TEST(SealedProcess, NeedsNoUnshareWithoutNamespaces) {
  if (is_in_a_private_folder()) GTEST_SKIP() << kPrivate;
  const std::string text = jail::said_in_a_child([] {
    SealedSpec spec = probe_spec();
    spec.missing_layers = jail::kWithoutNamespaces;
    return jail::refuse(SCMP_SYS(unshare)) ? run_probe(spec) : std::string("the test could not be made");
  });
  EXPECT_NE(text.find("descriptors: 0 1 2\n"), text.npos) << text;
}

// If the kernel refuses a step, the program never begins, and the error names the step.
TEST(SealedProcess, IsNotStartedWhenAStepFails) {
  const struct {
    int call;
    std::vector<scmp_arg_cmp> when;
    const char* named;
  } refusals[] = {
      {SCMP_SYS(rt_sigprocmask), {}, "session: "},
      {SCMP_SYS(close_range), {}, "descriptors: "},
      {SCMP_SYS(keyctl), {}, "keys-and-names: join an empty keyring: "},
      {SCMP_SYS(pivot_root), {}, "root: pivot_root: "},
      {SCMP_SYS(prlimit64), {SCMP_A2_64(SCMP_CMP_NE, 0)}, "rlimits: "},
      {SCMP_SYS(prctl), {SCMP_A0_64(SCMP_CMP_EQ, PR_SET_NO_NEW_PRIVS)}, "no-new-privileges: "},
      {SCMP_SYS(capset), {}, "capabilities: "},
      {SCMP_SYS(prctl), {SCMP_A0_64(SCMP_CMP_EQ, PR_SET_PDEATHSIG)}, "die-with-gateway: "},
      {SCMP_SYS(landlock_restrict_self), {}, "landlock: "},
      {SCMP_SYS(seccomp), {SCMP_A0_64(SCMP_CMP_EQ, 1)}, "seccomp: "},
      {SCMP_SYS(execveat), {}, "execute the program: "},
  };
  for (const auto& refused : refusals) {
    const std::string text = jail::said_in_a_child([&] {
      return jail::refuse(refused.call, refused.when) ? run_probe() : std::string("the test could not be made");
    });
    EXPECT_TRUE(text.starts_with("the process could not be sealed: ") &&
                text.ends_with(refused.named + std::string("Operation not permitted")))
        << refused.named << " is not what failed: " << text;
  }
}

// A process that waits, and what the kernel reports of it.
class LivingProcess : public testing::Test {
 protected:
  void SetUp() override {
    SealedSpec spec = probe_spec();
    spec.program = base::program_part("sealed-probe-folder/sealed-sleeper");
    auto started = SealedProcess::start(spec);
    ASSERT_TRUE(started) << started.failure().message;
    process_.emplace(std::move(started).value());
    proc_ = "/proc/" + field_of("/proc/self/fdinfo/" + std::to_string(process_->end_fd()), "Pid:");
  }
  static std::string field_of(const std::string& path, const std::string& name) {
    std::ifstream file(path);
    for (std::string line; std::getline(file, line);)
      if (line.starts_with(name)) return line.substr(std::min(line.find_first_not_of(" \t", name.size()), line.size()));
    return "";
  }
  std::string status(const char* name) const { return field_of(proc_ + "/status", name + std::string(":")); }

  std::optional<SealedProcess> process_;
  std::string proc_;
};

TEST_F(LivingProcess, IsNotTheUserWhoStartsIt) {
  if (::geteuid() != 0) GTEST_SKIP() << "an ordinary user has no other";
  struct stat owner {};
  ASSERT_EQ(::stat(proc_.c_str(), &owner), 0);
  EXPECT_EQ(owner.st_uid, jail::kGuestUid);
  EXPECT_EQ(status("Groups"), "");
}

TEST_F(LivingProcess, HasNoAuthority) {
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    EXPECT_EQ(status(set), "0000000000000000") << set;
  EXPECT_EQ(status("NoNewPrivs"), "1");
  EXPECT_EQ(status("Seccomp"), "2");
}

TEST_F(LivingProcess, HasTheLimitsOfItsConfinement) {
  const auto limit = [&](const char* name) {
    std::istringstream words(field_of(proc_ + "/limits", name));
    std::string soft, hard;
    words >> soft >> hard;
    return soft + " " + hard;
  };
  for (const char* none : {"Max core file size", "Max file size", "Max locked memory", "Max file locks",
                           "Max msgqueue size", "Max nice priority", "Max realtime priority"})
    EXPECT_EQ(limit(none), "0 0") << none;
  EXPECT_EQ(limit("Max data size"), "268435456 268435456");
  EXPECT_EQ(limit("Max cpu time"), "60 60");
  EXPECT_EQ(limit("Max open files"), "128 128");
}

TEST_F(LivingProcess, GoesFirstWhereMemoryIsShort) {
  std::ifstream file(proc_ + "/oom_score_adj");
  int adjustment = 0;
  ASSERT_TRUE(file >> adjustment);
  EXPECT_EQ(adjustment, 1000);
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

// A thread that starts a process and ends takes it along: it cannot outlive the gateway.
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

TEST(CheckerConfinement, IsAsSecurityMdShowsIt) {
  jail::expect_as_shown(checker_confinement());
}

TEST(CheckerConfinement, HasNoCallThatIsAWayOut) {
  const std::set<std::string> forbidden = {
      "socket", "connect",        "sendto",  "sendmsg",  "fork",         "vfork", "clone3",  "execve",
      "ptrace", "mount",          "unshare", "setns",    "open",         "creat", "mkdirat", "unlinkat",
      "bpf",    "io_uring_setup", "kill",    "renameat", "memfd_create", "chmod", "keyctl",  "userfaultfd"};
  for (const jail::AllowedCall& call : checker_confinement().filter.calls) {
    EXPECT_FALSE(forbidden.contains(call.name)) << call.name;
    EXPECT_STRNE(call.reason, "");
  }
}

}  // namespace
}  // namespace glovebox::check
