#include "base/child.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/clone_process.h"
#include "base/keeper.h"
#include "base/sockets/socket_pair.h"
#include "base/system_error.h"
#include "base/try.h"

namespace glovebox::base {
namespace {

// How long a keeper may take to kill what it keeps, before we do it.
constexpr int kPatienceMs = 2000;

struct Pipe {
  UniqueFd ours;
  UniqueFd theirs;
};

Result<UniqueFd> open_null(int flags) {
  UniqueFd file(::open("/dev/null", flags | O_CLOEXEC));
  if (!file.valid()) return system_failure(errno, "/dev/null");
  return file;
}

// What the program writes comes to us, or goes nowhere.
Result<Pipe> output_pipe(bool keep) {
  if (!keep) return Pipe{UniqueFd(), GLOVEBOX_TRY(open_null(O_WRONLY))};
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_failure(errno, "pipe");
  Pipe pipe{UniqueFd(ends[0]), UniqueFd(ends[1])};
  // Only our end: a program does not expect its standard output to refuse a write.
  if (::fcntl(pipe.ours.get(), F_SETFL, O_NONBLOCK) != 0) return system_failure(errno, "pipe");
  return pipe;
}

// A file in memory instead of a pipe: it need not be fed while the output is read.
Result<UniqueFd> input_file(const std::string& input) {
  if (input.empty()) return open_null(O_RDONLY);
  UniqueFd file(::memfd_create("input", MFD_CLOEXEC));
  if (!file.valid()) return system_failure(errno, "memfd_create");
  for (std::size_t written = 0; written < input.size();) {
    const ssize_t count = ::write(file.get(), input.data() + written, input.size() - written);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return system_failure(errno, "the input of a command");
    written += static_cast<std::size_t>(count);
  }
  ::lseek(file.get(), 0, SEEK_SET);
  return file;
}

// What we write comes to the program.
Result<Pipe> input_pipe(const ChildSpec& spec) {
  if (!spec.feed) return Pipe{UniqueFd(), GLOVEBOX_TRY(input_file(spec.input))};
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return system_failure(errno, "pipe");
  Pipe pipe{UniqueFd(ends[1]), UniqueFd(ends[0])};
  if (::fcntl(pipe.ours.get(), F_SETFL, O_NONBLOCK) != 0) return system_failure(errno, "pipe");
  return pipe;
}

std::vector<char*> pointers_to(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

}  // namespace

Result<Child> Child::start(ChildSpec spec) {
  Pipe in = GLOVEBOX_TRY(input_pipe(spec));
  Pipe out = GLOVEBOX_TRY(output_pipe(spec.keep_out));
  Pipe err = GLOVEBOX_TRY(output_pipe(spec.keep_err));
  auto [control, keepers_control] = GLOVEBOX_TRY(socket_pair(SOCK_SEQPACKET));
  const UniqueFd ourselves(static_cast<int>(::syscall(SYS_pidfd_open, ::getpid(), 0)));
  if (!ourselves.valid()) return system_failure(errno, "pidfd_open");
  const std::vector<char*> arguments = pointers_to(spec.arguments);
  const std::vector<char*> environment = pointers_to(spec.environment);
  const KeeperPlan plan{keepers_control.get(), ourselves.get(),  in.theirs.get(),
                        out.theirs.get(),      err.theirs.get(), spec.folder.get(),
                        spec.program.c_str(),  arguments.data(), environment.data()};

  // A handler of ours must not run in the copy.
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  int pidfd = -1;
  const long pid = clone_process(CLONE_PIDFD, &pidfd);
  if (pid == 0) keep_command(plan);
  const int error_number = errno;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (pid < 0) return system_failure(error_number, "starting a process");
  return Child(std::move(control), UniqueFd(pidfd), std::move(in.ours), std::move(out.ours), std::move(err.ours));
}

Child::Child(UniqueFd control, UniqueFd pidfd, UniqueFd in, UniqueFd out, UniqueFd err)
    : control_(std::move(control)),
      pidfd_(std::move(pidfd)),
      in_(std::move(in)),
      out_(std::move(out)),
      err_(std::move(err)) {}

Child::~Child() {
  if (!pidfd_.valid()) return;
  kill();
  if (!ended_within(kPatienceMs)) kill_hard();
  reap();
}

void Child::kill() {
  // The keeper sees the end of the stream; what it has to say still arrives.
  ::shutdown(control_.get(), SHUT_WR);
}

void Child::kill_hard() {
  read_reports();
  if (command_ > 0) ::kill(-command_, SIGKILL);
  ::syscall(SYS_pidfd_send_signal, pidfd_.get(), SIGKILL, nullptr, 0);
}

bool Child::ended_within(int milliseconds) const {
  pollfd event{pidfd_.get(), POLLIN, 0};
  int ready;
  do {
    ready = ::poll(&event, 1, milliseconds);
  } while (ready < 0 && errno == EINTR);
  return ready > 0;
}

void Child::read_reports() {
  KeeperReport report{};
  while (::recv(control_.get(), &report, sizeof report, MSG_DONTWAIT) == sizeof report) {
    command_ = report.kind == KeeperReport::kStarted ? report.first : 0;
    if (report.kind == KeeperReport::kEnded) end_ = {report.first, report.second, 0, false};
    if (report.kind == KeeperReport::kFailed) end_ = {0, 0, report.first, report.second == KeeperReport::kFolder};
  }
}

ChildEnd Child::reap() {
  siginfo_t info;
  while (::waitid(P_PIDFD, static_cast<id_t>(pidfd_.get()), &info, WEXITED | __WALL) < 0 && errno == EINTR) {
  }
  pidfd_.reset();
  read_reports();
  // A keeper that says nothing was killed, and the command with it.
  return end_.value_or(ChildEnd{0, SIGKILL, 0, false});
}

}  // namespace glovebox::base
