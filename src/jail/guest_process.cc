#include "jail/guest_process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "base/system_error.h"
#include "jail/process_state.h"
#include "wire/limits.h"

namespace glovebox::jail {
namespace {

constexpr std::size_t kPageBytes = 4096;

// More than the page tables of any guest at its start.
constexpr std::size_t kUncountedTableBytes = std::size_t{8} << 20;

// Since Linux 6.13; Debian 12's headers do not know it.
struct PidfdInfo {
  std::uint64_t mask;
  std::uint64_t cgroup;
  std::uint32_t pid, thread_group, parent, ids[8];
  std::int32_t exit_code;
};
constexpr unsigned long kPidfdGetInfo = _IOWR(0xFF, 11, PidfdInfo);
constexpr std::uint64_t kPidfdInfoPid = 1;

// The guest's pid as we see it; the zygote knows another one, in its own namespace.
pid_t pid_of(int pidfd) {
  PidfdInfo known{};
  known.mask = kPidfdInfoPid;
  if (::ioctl(pidfd, kPidfdGetInfo, &known) == 0) return static_cast<pid_t>(known.pid);
  char text[512] = {};
  const base::UniqueFd info(::open(("/proc/self/fdinfo/" + std::to_string(pidfd)).c_str(), O_RDONLY | O_CLOEXEC));
  if (!info.valid() || ::read(info.get(), text, sizeof text - 1) <= 0) return -1;
  const char* line = std::strstr(text, "\nPid:");
  return line ? static_cast<pid_t>(std::strtol(line + 5, nullptr, 10)) : -1;
}

}  // namespace

Result<GuestProcess> GuestProcess::adopt(pid_t id, base::UniqueFd socket, base::UniqueFd pidfd, bool warm) {
  GuestProcess guest;
  guest.id_ = id;
  guest.warm_ = warm;
  guest.pid_ = pid_of(pidfd.get());
  if (guest.pid_ <= 0 || ::clock_getcpuclockid(guest.pid_, &guest.cpu_clock_) != 0)
    return Failure{ErrorCode::kSandboxUnavailable, "the guest ended at once"};
  guest.statm_.reset(::open(("/proc/" + std::to_string(guest.pid_) + "/statm").c_str(), O_RDONLY | O_CLOEXEC));
  if (!guest.statm_.valid()) return base::system_failure(errno, "reading the guest's memory use");
  guest.socket_ = std::move(socket);
  guest.pidfd_ = std::move(pidfd);
  return guest;
}

bool GuestProcess::read_pages(Pages& pages) const {
  char text[128] = {};
  if (::pread(statm_.get(), text, sizeof text - 1, 0) <= 0) return false;
  std::size_t size, resident, shared, code, library, data;
  if (std::sscanf(text, "%zu %zu %zu %zu %zu %zu", &size, &resident, &shared, &code, &library, &data) != 6)
    return false;
  pages.anonymous = resident - shared;
  pages.data = data;
  return true;
}

Result<void> GuestProcess::limit_memory(std::size_t bytes) {
  if (is_limited()) return {};
  Pages pages;
  if (!read_pages(pages)) return Failure{ErrorCode::kSandboxUnavailable, "the guest ended before its run"};
  base_ = pages;
  const rlim_t limit = pages.data * kPageBytes + bytes + wire::kMemorySlackBytes;
  const rlimit both{limit, limit};
  if (::prlimit(pid_, RLIMIT_DATA, &both, nullptr) == 0) return {};
  if (errno == ESRCH) return Failure{ErrorCode::kSandboxUnavailable, "the guest ended before its run"};
  return base::system_failure(errno, "limiting the guest's memory");
}

void GuestProcess::give_back(base::UniqueFd socket, std::size_t memory_added) {
  socket_ = std::move(socket);
  base_.anonymous += memory_added / kPageBytes;
}

// Page tables are neither data nor resident, and a single page of zeros, far from all others, takes two pages of them:
// how much is mapped does not bound them.
std::size_t GuestProcess::memory_added(std::chrono::microseconds cpu_used_since) const {
  Pages pages;
  if (!read_pages(pages)) return 0;
  const std::size_t all_tables = cpu_used_since < kTooShortForTables ? 0 : page_table_bytes(pid_);
  const std::size_t tables = std::max(all_tables, kUncountedTableBytes) - kUncountedTableBytes;
  return tables + (std::max(pages.anonymous, base_.anonymous) - base_.anonymous) * kPageBytes;
}

std::chrono::microseconds GuestProcess::cpu_time() const {
  timespec time{};
  if (::clock_gettime(cpu_clock_, &time) != 0) return {};
  return std::chrono::microseconds(time.tv_sec * 1'000'000 + time.tv_nsec / 1000);
}

bool GuestProcess::is_alive() const {
  return ::syscall(SYS_pidfd_send_signal, pidfd_.get(), 0, nullptr, 0) == 0;
}

bool GuestProcess::is_waiting() const {
  return process_state(pid_) == 'S';
}

void GuestProcess::yield_to_others() const {
  constexpr int kNice = 10;
  ::setpriority(PRIO_PROCESS, static_cast<id_t>(pid_), kNice);  // a failure costs only fairness
}

bool GuestProcess::run_on(const cpu_set_t& cores) const {
  return ::sched_setaffinity(pid_, sizeof cores, &cores) == 0;
}

void GuestProcess::kill() const {
  if (pidfd_.valid()) ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
}

}  // namespace glovebox::jail
