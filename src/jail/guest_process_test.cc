// A real guest, requested from its zygote as the broker does, and what the kernel reports about it.
#include "jail/guest_process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <vector>

#include "base/program_part.h"
#include "jail/control_socket.h"
#include "jail/launcher.h"
#include "jail/process_state.h"
#include "jail/zygote_protocol.h"
#include "wire/limits.h"

namespace glovebox::jail {
namespace {

bool reaches_state(pid_t pid, char state) {
  for (int attempt = 0; attempt < 6'000; ++attempt, ::usleep(10'000)) {
    if (process_state(pid) == state) return true;
  }
  return false;
}

class Guest : public testing::Test {
 protected:
  Guest()
      : zygote_(ZygoteProcess::launch(
            {base::program_part("glovebox-engine"), base::program_part("libglovebox-guest.so"), 0, false})) {}

  void SetUp() override { ASSERT_TRUE(zygote_.ok()) << zygote_.failure().message; }

  // The reports of one packet.
  std::vector<GuestReport> receive(base::UniqueFd* passed = nullptr) {
    std::vector<GuestReport> reports(kMostReports);
    int fd = -1;
    const ssize_t size =
        receive_packet(zygote_->control_fd(), reports.data(), sizeof(GuestReport) * reports.size(), fd);
    base::UniqueFd received(fd);
    EXPECT_GT(size, 0);
    EXPECT_EQ(size % static_cast<ssize_t>(sizeof(GuestReport)), 0);
    if (passed) *passed = std::move(received);
    reports.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)) / sizeof(GuestReport));
    return reports;
  }

  GuestReport receive_end() {
    const auto reports = receive();
    EXPECT_EQ(reports.size(), 1u);
    const GuestReport end = reports.empty() ? GuestReport{} : reports.front();
    EXPECT_EQ(end.type, MessageType::kExited);
    return end;
  }

  Result<GuestProcess> spawn() {
    auto socket = zygote_->request_guest(false);
    EXPECT_TRUE(socket.ok());
    base::UniqueFd pidfd;
    const auto reports = receive(&pidfd);
    if (!socket || reports.size() != 1) return Failure{ErrorCode::kSystem, "not one answer"};
    EXPECT_EQ(reports[0].type, MessageType::kSpawned);
    EXPECT_EQ(reports[0].number, 0);
    return GuestProcess::adopt(reports[0].pid, std::move(*socket), std::move(pidfd), false);
  }

  Result<ZygoteProcess> zygote_;
};

TEST_F(Guest, IsHeldByItsPidAsWeSeeIt) {
  const auto guest = spawn();
  ASSERT_TRUE(guest.ok()) << guest.failure().message;
  EXPECT_FALSE(guest.value().warm());
  EXPECT_GE(guest.value().socket(), 0);
  std::ifstream status("/proc/" + std::to_string(guest.value().pid()) + "/status");
  const std::string text((std::istreambuf_iterator<char>(status)), {});
  // Its pid in its own namespace is another one.
  EXPECT_NE(text.find("\nNSpid:\t" + std::to_string(guest.value().pid()) + "\t" + std::to_string(guest.value().id())),
            std::string::npos)
      << text;
}

TEST_F(Guest, LimitsMemoryToWhatItHasPlusTheLimit) {
  auto guest = spawn();
  ASSERT_TRUE(guest.ok());
  ASSERT_TRUE(guest->limit_memory(64 << 20).ok());
  rlimit limit{};
  ASSERT_EQ(::prlimit(guest->pid(), RLIMIT_DATA, nullptr, &limit), 0);
  EXPECT_EQ(limit.rlim_cur, limit.rlim_max);
  EXPECT_GE(limit.rlim_cur, (rlim_t{64} << 20) + wire::kMemorySlackBytes);
  EXPECT_NE(limit.rlim_cur, RLIM_INFINITY);
  // It waits for its run and adds almost nothing meanwhile.
  EXPECT_LT(guest->memory_added(guest->cpu_time()), std::size_t{8} << 20);
}

TEST_F(Guest, CountsItsCpuTime) {
  const auto guest = spawn();
  ASSERT_TRUE(guest.ok());
  // Sealing alone uses some; on a busy machine it may not have begun.
  for (int attempt = 0; attempt < 6'000 && guest.value().cpu_time().count() == 0; ++attempt) ::usleep(10'000);
  EXPECT_GT(guest.value().cpu_time().count(), 0);
}

TEST_F(Guest, IsPutOnACoreFromOutside) {
  const auto guest = spawn();
  ASSERT_TRUE(guest.ok());
  cpu_set_t all;
  ASSERT_EQ(::sched_getaffinity(guest.value().pid(), sizeof all, &all), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int core = 0; CPU_COUNT(&one) == 0; ++core) {
    if (CPU_ISSET(core, &all)) CPU_SET(core, &one);
  }
  cpu_set_t now;
  EXPECT_TRUE(guest.value().run_on(one));
  ASSERT_EQ(::sched_getaffinity(guest.value().pid(), sizeof now, &now), 0);
  EXPECT_TRUE(CPU_EQUAL(&now, &one));
  EXPECT_TRUE(guest.value().run_on(all));
  ASSERT_EQ(::sched_getaffinity(guest.value().pid(), sizeof now, &now), 0);
  EXPECT_TRUE(CPU_EQUAL(&now, &all));
}

TEST_F(Guest, DiesWhenKilledAndIsReaped) {
  auto guest = spawn();
  ASSERT_TRUE(guest.ok());
  guest->kill();
  const GuestReport end = receive_end();
  EXPECT_EQ(end.pid, guest->id());
  EXPECT_TRUE(WIFSIGNALED(end.number));
  EXPECT_EQ(WTERMSIG(end.number), SIGKILL);
  // Afterwards every query has a harmless answer.
  EXPECT_EQ(guest->memory_added(std::chrono::seconds(1)), 0u);
  EXPECT_EQ(guest->cpu_time().count(), 0);
  EXPECT_FALSE(guest->limit_memory(64 << 20).ok());
  guest->kill();
}

TEST_F(Guest, EndsWhenItsSocketCloses) {
  auto guest = spawn();
  ASSERT_TRUE(guest.ok());
  guest->take_socket().reset();
  const GuestReport end = receive_end();
  EXPECT_EQ(end.pid, guest->id());
  EXPECT_TRUE(WIFEXITED(end.number));
}

TEST_F(Guest, EndsOnAFrameThatIsNoRun) {
  auto guest = spawn();
  ASSERT_TRUE(guest.ok());
  const char zero_length[4] = {};
  ASSERT_EQ(::write(guest->socket(), zero_length, sizeof zero_length), 4);
  const GuestReport end = receive_end();
  EXPECT_EQ(end.pid, guest->id());
  EXPECT_TRUE(WIFEXITED(end.number));
  EXPECT_EQ(WEXITSTATUS(end.number), 1);
}

// Each packet wakes the gateway. The zygote is stopped where it waits, so that it finds request and end at once.
TEST_F(Guest, IsReportedGoneTogetherWithTheNextOne) {
  auto first = spawn();
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(reaches_state(zygote_->pid(), 'S'));
  ASSERT_EQ(::kill(zygote_->pid(), SIGSTOP), 0);
  first->kill();
  ASSERT_TRUE(reaches_state(first->pid(), 'Z'));
  const auto socket = zygote_->request_guest(false);
  ASSERT_TRUE(socket.ok());
  ASSERT_EQ(::kill(zygote_->pid(), SIGCONT), 0);
  base::UniqueFd pidfd;
  const auto reports = receive(&pidfd);
  EXPECT_TRUE(pidfd.valid());
  ASSERT_EQ(reports.size(), 2u);
  EXPECT_EQ(reports[0].type, MessageType::kSpawned);
  EXPECT_EQ(reports[1].type, MessageType::kExited);
  EXPECT_EQ(reports[1].pid, first->id());
}

// More than fit into one packet, and no request after them.
TEST_F(Guest, AreAllReportedHoweverManyEndAtOnce) {
  std::set<pid_t> living, gone;
  std::vector<GuestProcess> guests;
  for (std::size_t i = 0; i < 2 * kMostReports + 1; ++i) {
    auto guest = spawn();
    ASSERT_TRUE(guest.ok());
    living.insert(guest->id());
    guests.push_back(std::move(*guest));
  }
  ASSERT_TRUE(reaches_state(zygote_->pid(), 'S'));
  ASSERT_EQ(::kill(zygote_->pid(), SIGSTOP), 0);
  for (const GuestProcess& guest : guests) guest.kill();
  for (const GuestProcess& guest : guests) ASSERT_TRUE(reaches_state(guest.pid(), 'Z'));
  ASSERT_EQ(::kill(zygote_->pid(), SIGCONT), 0);
  while (gone.size() < living.size()) {
    const auto reports = receive();
    ASSERT_FALSE(reports.empty());
    for (const GuestReport& report : reports) {
      EXPECT_EQ(report.type, MessageType::kExited);
      EXPECT_TRUE(gone.insert(report.pid).second);
    }
  }
  EXPECT_EQ(gone, living);
}

// The number after the word that a line begins with.
std::size_t number_in(const std::string& path, const std::string& word) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(word)) return std::stoul(line.substr(word.size()));
  }
  return 0;
}

// Guests share what the zygote writes to while it serves, and writing to a shared huge page splits it.
TEST_F(Guest, LeavesTheZygotesHugePagesWhole) {
  zygote_ = ZygoteProcess::launch({base::program_part("glovebox-engine"), base::program_part("libglovebox-guest.so")});
  ASSERT_TRUE(zygote_.ok()) << zygote_.failure().message;
  const auto first = spawn();
  ASSERT_TRUE(first.ok());
  const auto second = spawn();
  ASSERT_TRUE(second.ok());
  second.value().kill();
  EXPECT_EQ(receive_end().pid, second.value().id());
  const std::size_t zygote = number_in("/proc/" + std::to_string(first.value().pid()) + "/status", "PPid:");
  const std::string memory = "/proc/" + std::to_string(zygote) + "/smaps_rollup";
  if (number_in(memory, "Rss:") == 0) GTEST_SKIP() << "this user may not look at it";
  EXPECT_GE(number_in(memory, "AnonHugePages:") * 1024, zygote_->huge_page_bytes());
}

// In kilobytes: what the process can only read, has in small pages, and that belongs to no file.
std::size_t constants_of_no_file(pid_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/smaps");
  std::size_t kilobytes = 0;
  bool is_constant = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (!first.ends_with(':')) is_constant = second == "r--p";
    if (is_constant && first == "Anonymous:") kilobytes += std::stoul(second);
    if (is_constant && first == "AnonHugePages:") kilobytes -= std::stoul(second);
  }
  return kilobytes;
}

// A fork would copy the page tables of what belongs to no file.
TEST_F(Guest, HasItsConstantsInAFile) {
  const auto guest = spawn();
  ASSERT_TRUE(guest.ok());
  const std::string memory = "/proc/" + std::to_string(guest->pid()) + "/smaps_rollup";
  if (number_in(memory, "Rss:") == 0) GTEST_SKIP() << "this user may not look at it";
  EXPECT_EQ(constants_of_no_file(guest->pid()), 0u);
}

// V8's heap and the allocator's memory each begin with one.
TEST_F(Guest, BootsInTwoHugePagesIfItIsTheOnlyOne) {
  if (zygote_->huge_page_bytes() == 0) GTEST_SKIP() << "this kernel has none";
  LaunchSpec spec{base::program_part("glovebox-engine"), base::program_part("libglovebox-guest.so")};
  spec.one_run = true;
  zygote_ = ZygoteProcess::launch(spec);
  ASSERT_TRUE(zygote_.ok()) << zygote_.failure().message;
  const std::string memory = "/proc/" + std::to_string(zygote_->pid()) + "/smaps_rollup";
  if (number_in(memory, "Rss:") == 0) GTEST_SKIP() << "this user may not look at it";
  EXPECT_GE(number_in(memory, "AnonHugePages:"), 4096u);
}

TEST_F(Guest, DiesWithItsZygote) {
  auto guest = spawn();
  ASSERT_TRUE(guest.ok());
  const pid_t pid = guest->pid();
  zygote_ = Failure{ErrorCode::kSystem, "ended"};
  // Its socket closes when it is gone.
  pollfd event{guest->socket(), POLLIN, 0};
  ASSERT_EQ(::poll(&event, 1, 60'000), 1);
  char byte;
  EXPECT_EQ(::read(guest->socket(), &byte, 1), 0);
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST_F(Guest, SealsItselfBeforeItReadsAnything) {
  auto guest = spawn();
  ASSERT_TRUE(guest.ok());
  // The last step of the seal is a filter beside those of the zygote.
  const std::string proc = "/proc/" + std::to_string(guest->pid());
  const auto filters = [](pid_t pid) {
    return number_in("/proc/" + std::to_string(pid) + "/status", "Seccomp_filters:");
  };
  const std::size_t inherited = filters(zygote_->pid());
  for (int attempt = 0; attempt < 6'000 && filters(guest->pid()) == inherited; ++attempt) ::usleep(10'000);
  EXPECT_EQ(filters(guest->pid()), inherited + 1);
  std::ifstream status(proc + "/status");
  const std::string text((std::istreambuf_iterator<char>(status)), {});
  EXPECT_NE(text.find("\nSeccomp:\t2"), std::string::npos);
  EXPECT_NE(text.find("\nNoNewPrivs:\t1"), std::string::npos);
  EXPECT_NE(text.find("\nCapBnd:\t0000000000000000"), std::string::npos);
  EXPECT_NE(text.find("\nThreads:\t1\n"), std::string::npos);
  if (::geteuid() == 0) {
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(proc + "/fd"), {}), 1);
    EXPECT_TRUE(std::filesystem::exists(std::filesystem::symlink_status(proc + "/fd/3")));
  }
}

// A page of zeros in each: the least that a table can be filled with.
TEST(GuestProcess, CannotFillManyPageTablesWithoutBeingAskedForThem) {
  constexpr std::size_t kTable = std::size_t{2} << 20;  // bytes that one page of tables maps
  constexpr std::size_t kTables = 1024;
  void* const memory = ::mmap(nullptr, kTables * kTable, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto cpu_time = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  };
  const auto before = cpu_time();
  for (std::size_t i = 0; i < kTables; ++i) (void)static_cast<volatile const char*>(memory)[i * kTable];
  EXPECT_GT(cpu_time() - before, GuestProcess::kTooShortForTables);
  ::munmap(memory, kTables * kTable);
}

TEST(GuestProcess, RefusesWhatIsNoProcess) {
  EXPECT_FALSE(GuestProcess::adopt(1, {}, {}, false).ok());
  EXPECT_FALSE(GuestProcess::adopt(1, {}, base::UniqueFd(::dup(1)), false).ok());
}

TEST(GuestProcess, RefusesAProcessThatIsGone) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(0);
  base::UniqueFd pidfd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  ASSERT_TRUE(pidfd.valid());
  ::waitpid(pid, nullptr, 0);
  const auto guest = GuestProcess::adopt(1, {}, std::move(pidfd), false);
  ASSERT_FALSE(guest.ok());
  EXPECT_EQ(guest.failure().code, ErrorCode::kSandboxUnavailable);
}

}  // namespace
}  // namespace glovebox::jail
