// E11–E16: what the kernel reports about a guest, read from outside: one that runs code, and one that waits in the
// pool.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "jail/launcher.h"
#include "oracle/eventually.h"
#include "oracle/process_view.h"
#include "oracle/testbed.h"
#include "own_sandbox.h"

namespace glovebox::attack {
namespace {

enum class Moment { kRunning, kWaiting };

class SealedGuest : public testing::TestWithParam<Moment> {
 protected:
  void SetUp() override {
    Testbed::instance();  // the canaries
    sandbox_.emplace(GuestKind::kProduct, GetParam() == Moment::kWaiting ? 1 : 0);
    if (GetParam() == Moment::kRunning) {
      RunRequest request;
      request.code = "console.log('here'); await new Promise((r) => setTimeout(r, 1e6))";
      request.config.timeout = std::chrono::minutes(10);
      underway_ = start_run(sandbox_->sandbox(), std::move(request));
    }
    guest_ = sandbox_->only_guest();
    // The gateway knows of a waiting guest from its fork on; the guest reads nothing before it is sealed.
    ASSERT_TRUE(eventually([&] { return is_sealed(guest_); })) << "never sealed";
  }

  void TearDown() override {
    if (!underway_) return;
    EXPECT_EQ(underway_->outcome.wait_for(std::chrono::seconds(0)), std::future_status::timeout)
        << "the guest did not live through the test";
    underway_->run.cancel();
    underway_->outcome.wait();
  }

  std::optional<OwnSandbox> sandbox_;
  std::optional<Underway> underway_;
  pid_t guest_ = 0;
};

INSTANTIATE_TEST_SUITE_P(, SealedGuest, testing::Values(Moment::kRunning, Moment::kWaiting),
                         [](const auto& info) { return info.param == Moment::kRunning ? "Running" : "Waiting"; });

TEST_P(SealedGuest, E11_HasOneDescriptorAndItIsItsSocket) {
  const auto descriptors = descriptors_of(guest_);
  ASSERT_EQ(descriptors.size(), 1u) << testing::PrintToString(descriptors);
  EXPECT_TRUE(descriptors[0].starts_with("3 socket:[")) << descriptors[0];
}

TEST_P(SealedGuest, E12_SeesNothingOfTheHost) {
  EXPECT_EQ(root_entries(guest_), std::set<std::string>{});
  EXPECT_EQ(std::filesystem::read_symlink("/proc/" + std::to_string(guest_) + "/cwd"), "/");
  const std::string mounts = read_proc(guest_, "mountinfo");
  EXPECT_EQ(std::count(mounts.begin(), mounts.end(), '\n'), 1) << mounts;
  EXPECT_NE(mounts.find(" ro"), std::string::npos) << "the empty root is writable: " << mounts;
}

TEST_P(SealedGuest, E12_HasAnEnvironmentThatNamesNothing) {
  const std::string environment = read_proc(guest_, "environ");
  EXPECT_TRUE(Testbed::instance().canaries().found_in(environment).empty());
  std::istringstream variables(environment);
  for (std::string variable; std::getline(variables, variable, '\0');) {
    EXPECT_TRUE(variable == "TZ=UTC" || variable == "LC_ALL=en_US.UTF-8" || variable == "LD_BIND_NOW=1" ||
                variable.starts_with("LD_PRELOAD=/proc/self/fd/"))
        << variable;
  }
  EXPECT_EQ(read_proc(guest_, "cmdline"), std::string("glovebox-guest\0", 15));
}

TEST_P(SealedGuest, E12_LivesInNamespacesOfItsOwn) {
  std::string most;
  std::ifstream("/proc/sys/user/max_user_namespaces") >> most;
  for (const std::string kind : {"user", "pid", "mnt", "net", "ipc", "uts", "cgroup"}) {
    if (kind == "user" && most == "0") continue;  // root made the others (without_user_namespaces)
    const std::string ours = namespace_of(::getpid(), kind);
    const std::string theirs = namespace_of(guest_, kind);
    EXPECT_NE(theirs, "") << kind;
    EXPECT_NE(theirs, ours) << kind;
  }
}

TEST_P(SealedGuest, E12_HasNoNetwork) {
  std::istringstream lines(read_proc(guest_, "net/dev"));
  std::vector<std::string> devices;
  for (std::string line; std::getline(lines, line);) {
    if (const std::size_t colon = line.find(':'); colon != std::string::npos)
      devices.push_back(line.substr(line.find_first_not_of(' '), colon - line.find_first_not_of(' ')));
  }
  EXPECT_EQ(devices, std::vector<std::string>{"lo"});
  const std::string routes = read_proc(guest_, "net/route");
  EXPECT_LE(std::count(routes.begin(), routes.end(), '\n'), 1) << routes;
}

TEST_P(SealedGuest, E14_HasNoPrivilegesAndCannotGainAny) {
  EXPECT_EQ(status_field(guest_, "NoNewPrivs"), "1");
  EXPECT_EQ(status_field(guest_, "Seccomp"), "2");
  EXPECT_TRUE(is_sealed(guest_)) << "it has only the filters of its zygote";
  for (const char* set : {"CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb"})
    EXPECT_EQ(status_field(guest_, set), "0000000000000000") << set;
  EXPECT_EQ(status_field(guest_, "Threads"), "1");
}

TEST_P(SealedGuest, E14_BelongsToNobodyWhenTheGatewayIsRoot) {
  const bool root = ::geteuid() == 0;
  const std::string id = std::to_string(root ? jail::kGuestUid : ::geteuid());
  EXPECT_EQ(status_field(guest_, "Uid"), id + " " + id + " " + id + " " + id);
  const std::string group = std::to_string(root ? jail::kGuestUid : ::getegid());
  EXPECT_EQ(status_field(guest_, "Gid"), group + " " + group + " " + group + " " + group);
  if (root) {
    EXPECT_EQ(status_field(guest_, "Groups"), "") << "groups of root";
  }
}

TEST_P(SealedGuest, E15_HasItsLimits) {
  for (const char* none :
       {"Max core file size", "Max file size", "Max processes", "Max locked memory", "Max file locks",
        "Max pending signals", "Max msgqueue size", "Max nice priority", "Max realtime priority"}) {
    EXPECT_EQ(limit_of(guest_, none), "0 0") << none;
  }
  EXPECT_EQ(limit_of(guest_, "Max open files"), "0 0");
  if (GetParam() == Moment::kRunning) {
    EXPECT_EQ(limit_of(guest_, "Max data size").find("unlimited"), std::string::npos);
  }
}

// Memory that is both writable and executable was mapped by the zygote for the compilers, once. Its size bounds what
// native code can do with it, and nothing that the guest itself maps is added (E10 of calls.txt).
TEST_P(SealedGuest, E10_HasBoundedWritableCode) {
  std::istringstream maps(read_proc(guest_, "maps"));
  std::size_t bytes = 0;
  for (std::string line; std::getline(maps, line);) {
    unsigned long from = 0, to = 0;
    char flags[8] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %7s", &from, &to, flags) == 3 && std::string(flags).starts_with("rwx"))
      bytes += to - from;
  }
  EXPECT_LE(bytes >> 20, 128u);
}

// What a guest writes to is its own, also what the zygote keeps in a file: shared memory that can only be read could be
// made writable, for all guests.
TEST_P(SealedGuest, E10_SharesNoMapping) {
  std::istringstream maps(read_proc(guest_, "maps"));
  std::size_t in_constants = 0;
  for (std::string line; std::getline(maps, line);) {
    EXPECT_EQ(line.substr(line.find(' ') + 1, 4).back(), 'p') << line;
    in_constants += line.find("/memfd:constants") != line.npos;
  }
  if (maps.str().empty()) GTEST_SKIP() << "this user may not look at it";
  EXPECT_GT(in_constants, 0u);
}

bool kernel_seals_its_mappings() {
  std::ifstream smaps("/proc/self/smaps");
  bool is_clock = false;
  for (std::string line; std::getline(smaps, line);) {
    if (line.ends_with(']')) is_clock = line.find("[vvar") != line.npos;
    if (is_clock && line.starts_with("VmFlags:")) return line.find(" sl") != line.npos;
  }
  return false;
}

// Native code would read the time there to the tick, without a call and without the cycle counter.
TEST_P(SealedGuest, E17_HasNoPageOfTheKernelsClock) {
  if (kernel_seals_its_mappings()) GTEST_SKIP() << "this kernel lets no process unmap them";
  EXPECT_NE(read_proc(::getpid(), "maps").find("[vvar"), std::string::npos) << "elsewhere it is there";
  const std::string maps = read_proc(guest_, "maps");
  if (maps.empty()) GTEST_SKIP() << "this user may not look at it";
  EXPECT_EQ(maps.find("[vvar"), std::string::npos) << maps;
}

// E16 a guest that crashes leaves no file behind: no core, no report, no map for profilers.
TEST(CrashedGuest, E16_LeavesNoFile) {
  const auto names = [](const std::string& folder) {
    std::set<std::string> found;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder, std::filesystem::directory_options::skip_permission_denied)) {
      found.insert(entry.path().filename().string());
    }
    return found;
  };
  const std::string folder = Testbed::instance().canaries().folder();
  OwnSandbox own(GuestKind::kProbe, 1);
  const auto here = names(folder), root = names("/");
  const pid_t guest = own.only_guest();  // it waits, and gets the run
  const auto outcome = run_to_end(own.sandbox(), {.code = "crash()"});
  ASSERT_TRUE(outcome);
  ASSERT_TRUE(outcome->error()) << to_json(*outcome);
  EXPECT_EQ(outcome->error()->code.text(), "GUEST_CRASHED");
  EXPECT_EQ(names(folder), here);
  EXPECT_EQ(names("/"), root);
  EXPECT_FALSE(std::filesystem::exists("/tmp/perf-" + std::to_string(guest) + ".map"));
  EXPECT_FALSE(std::filesystem::exists("/tmp/jit-" + std::to_string(guest) + ".dump"));
}

}  // namespace
}  // namespace glovebox::attack
