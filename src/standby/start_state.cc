#include "standby/start_state.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace glovebox::standby {
namespace {

constexpr const char* kNamespaces[] = {
    "cgroup", "ipc", "mnt", "net", "pid", "pid_for_children", "time", "time_for_children", "user", "uts"};

// Lines of /proc/PID/status. What is not here is about the process itself, such as its memory and its threads.
constexpr std::string_view kStatusLines[] = {
    "Umask:",
    "Uid:",
    "Gid:",
    "Groups:",
    "CapInh:",
    "CapPrm:",
    "CapEff:",
    "CapBnd:",
    "CapAmb:",
    "Seccomp:",
    "Seccomp_filters:",
    "NoNewPrivs:",
    "THP_enabled:",
    "Speculation_Store_Bypass:",
    "SpeculationIndirectBranch:",
    "Cpus_allowed:",
    "Mems_allowed:",
};

constexpr int kWhoProcess = 1;  // IOPRIO_WHO_PROCESS

class Reader {
 public:
  explicit Reader(pid_t pid) : pid_(pid), folder_("/proc/" + std::to_string(pid) + "/") {}

  // Those of namespaces, of which not every kernel has all.
  void add_link(const std::string& name) {
    char target[256];
    const ssize_t size = ::readlink((folder_ + name).c_str(), target, sizeof target);
    failed_ = failed_ || (size < 0 && errno != ENOENT);
    add(std::string_view(target, static_cast<std::size_t>(std::max<ssize_t>(size, 0))));
  }

  // The file itself, by whatever name: the program that runs, the root.
  void add_identity(const std::string& name) {
    struct stat file {};
    failed_ = failed_ || ::stat((folder_ + name).c_str(), &file) != 0;
    add(std::to_string(file.st_dev) + ":" + std::to_string(file.st_ino));
  }

  void add_file(const std::string& name) { add(read(name)); }

  // Not every kernel has it, and one that has not fails in the same way for all.
  void add_file_if_any(const std::string& name) {
    const bool failed = failed_;
    add(read(name));
    failed_ = failed;
  }

  void add_status() {
    const std::string status = read("status");
    for (std::size_t at = 0; at < status.size();) {
      const std::size_t end = std::min(status.find('\n', at), status.size());
      const std::string_view line = std::string_view(status).substr(at, end - at);
      if (std::any_of(std::begin(kStatusLines), std::end(kStatusLines),
                      [&](std::string_view name) { return line.starts_with(name); }))
        add(line);
      at = end + 1;
    }
  }

  void add_scheduling() {
    errno = 0;
    add(std::to_string(::getpriority(PRIO_PROCESS, static_cast<id_t>(pid_))));
    sched_param priority{};
    failed_ = failed_ || errno != 0 || ::sched_getparam(pid_, &priority) != 0;
    add(std::to_string(::sched_getscheduler(pid_)) + ":" + std::to_string(priority.sched_priority));
    add(std::to_string(::syscall(SYS_ioprio_get, kWhoProcess, pid_)));
  }

  std::string take() { return failed_ ? "" : std::move(state_); }

 private:
  void add(std::string_view text) { state_.append(text).push_back('\n'); }

  std::string read(const std::string& name) {
    std::string text;
    const base::UniqueFd file(::open((folder_ + name).c_str(), O_RDONLY | O_CLOEXEC));
    char buffer[4096];
    ssize_t size = 0;
    while (file.valid() && (size = ::read(file.get(), buffer, sizeof buffer)) > 0)
      text.append(buffer, static_cast<std::size_t>(size));
    failed_ = failed_ || !file.valid() || size < 0;
    return text;
  }

  const pid_t pid_;
  const std::string folder_;
  std::string state_;
  bool failed_ = false;
};

}  // namespace

bool may_be_signalled(const base::UniqueFd& pidfd) {
  return ::syscall(SYS_pidfd_send_signal, pidfd.get(), 0, nullptr, 0) == 0;
}

bool is_in_state(const base::UniqueFd& pidfd, pid_t pid, const std::string& state) {
  // Alive after its state was read, so it was its own.
  return pid > 0 && !state.empty() && start_state(pid) == state && may_be_signalled(pidfd);
}

std::string start_state(pid_t pid) {
  Reader reader(pid);
  for (const char* name : kNamespaces) reader.add_link(std::string("ns/") + name);
  reader.add_identity("exe");
  reader.add_identity("root");
  reader.add_status();
  reader.add_file("cgroup");
  reader.add_file("limits");
  reader.add_file("oom_score_adj");
  reader.add_file_if_any("attr/current");  // AppArmor's profile, or SELinux's label
  reader.add_scheduling();
  return reader.take();
}

}  // namespace glovebox::standby
