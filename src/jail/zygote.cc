#include "jail/zygote.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <vector>

#include "jail/confinement/guest_confinement.h"
#include "jail/confinement/steps.h"
#include "jail/control_socket.h"
#include "jail/rewind/first_filter.h"
#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

// In milliseconds: the longest that the end of a guest is reported late.
constexpr int kQuietMs = 10;

[[noreturn]] void fail_boot(const std::string& reason) {
  constexpr MessageType kType = MessageType::kBootFailed;
  const std::string message = std::string(reinterpret_cast<const char*>(&kType), sizeof kType) + reason;
  send_packet(kControlFd, message.data(), message.size(), -1);
  ::_exit(1);
}

// Once it serves, it writes only to its stack: its guests share its memory, so any other write would copy a page and
// split huge pages.
class Zygote {
 public:
  explicit Zygote(GuestProgram& program) : program_(program) {}

  [[noreturn]] void run() {
    greet();
    if (const std::string error = program_.boot(plan_); !error.empty()) fail_boot(error);
    // The library and the image are mapped by now.
    ::syscall(SYS_close_range, static_cast<unsigned>(kControlFd + 1), ~0u, 0u);
    confine();
    watch_children();
    Ready ready;
    ready.huge_page_bytes = program_.huge_page_bytes();
    send(&ready, sizeof ready, changes_);
    if (changes_ >= 0) ::close(changes_);
    // An end is reported at once only if there was neither an end nor a request just before. Otherwise it is reported
    // with the answer to the next request, or a little later: the gateway replaces the guests that it kills, and each
    // end would wake zygote and gateway once more.
    for (bool is_quiet = true;;) {
      pollfd events[] = {{kControlFd, POLLIN, 0}, {is_quiet ? child_events_ : -1, POLLIN, 0}};
      const int ready = ::poll(events, 2, is_quiet ? -1 : kQuietMs);
      if (ready < 0 && errno != EINTR) ::_exit(1);
      is_quiet = ready == 0;
      events[0].revents ? serve_request() : report();
    }
  }

 private:
  void send(const void* packet, std::size_t size, int fd = -1) {
    // The gateway is gone, so there is nothing left to do. The guests end with the pid namespace.
    if (!send_packet(kControlFd, packet, size, fd)) ::_exit(0);
  }

  void greet() {
    // Set again, since a change of credentials clears it. If the gateway is gone already, the socket's hang-up tells.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    std::vector<char> packet(kMaxControlMessageBytes);
    int fd = -1;
    const ssize_t size = receive_packet(kControlFd, packet.data(), packet.size(), fd);
    if (size <= 0) ::_exit(0);
    Hello hello;
    if (static_cast<std::size_t>(size) < sizeof hello) fail_boot("the gateway's handshake is truncated");
    std::memcpy(&hello, packet.data(), sizeof hello);
    if (hello.version != kZygoteProtocolVersion) fail_boot("the guest library is of another build than the gateway");
    if (static_cast<std::size_t>(size) != sizeof hello + hello.filter_instructions * sizeof(sock_filter)) {
      fail_boot("the gateway's handshake has the wrong length");
    }
    filter_.resize(hello.filter_instructions);
    std::memcpy(filter_.data(), packet.data() + sizeof hello, hello.filter_instructions * sizeof(sock_filter));
    missing_layers_ = hello.missing_layers;
    plan_ = {hello.kind, hello.warm_typescript != 0, hello.one_run != 0, hello.rewindable != 0};
  }

  void confine() {
    Subject subject{guest_confinement(), missing_layers_};
    if (const Step* failed = apply_steps(MadeIn::kZygote, subject)) {
      char text[256];
      fail_boot(std::string(text, describe_failure(*failed, subject, text)));
    }
    // Set again, since a change of credentials clears it.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (plan_.one_run) return;
    changes_ = install_first_filter(plan_.rewindable);
    // Pages that the kernel made huge later would look as if the guest had written to them.
    if (changes_ >= 0) ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  }

  void watch_children() {
    ::signal(SIGPIPE, SIG_IGN);
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child, nullptr);
    child_events_ = ::signalfd(-1, &child, SFD_CLOEXEC | SFD_NONBLOCK);
    if (child_events_ < 0) fail_boot("signalfd");
  }

  // The guest that was forked, if any, and those that have ended: one packet, since each wakes the gateway.
  void report(std::optional<GuestReport> spawned = {}, int pidfd = -1) {
    // Read first, so that an end after the wait is noticed. There is at most one of this signal.
    signalfd_siginfo ignored;
    (void)!::read(child_events_, &ignored, sizeof ignored);
    GuestReport reports[kMostReports];
    std::size_t count = 0;
    if (spawned) reports[count++] = *spawned;
    for (; count < kMostReports; ++count) {
      if ((reports[count].pid = ::waitpid(-1, &reports[count].number, WNOHANG)) <= 0) break;
    }
    if (count > 0) send(reports, count * sizeof *reports, pidfd);
    if (count == kMostReports) report();
  }

  void serve_request() {
    Spawn request;
    int socket_fd = -1;
    const ssize_t size = receive_packet(kControlFd, &request, sizeof request, socket_fd);
    if (size == 0 || (size < 0 && errno != EINTR)) ::_exit(0);
    if (size != sizeof request || request.type != MessageType::kSpawn || socket_fd < 0) ::_exit(1);

    int pidfd = -1;
    // Not fork(): the C library's handlers only repair locks that other threads may hold, and there are none.
    const auto pid = static_cast<pid_t>(
        plan_.one_run ? ::getpid() : ::syscall(SYS_clone, CLONE_PIDFD | SIGCHLD, nullptr, &pidfd, nullptr, nullptr));
    if (pid == 0) become_guest(socket_fd, request.warm != 0);
    const GuestReport spawned{MessageType::kSpawned, pid, pid < 0 ? errno : 0};
    if (plan_.one_run) pidfd = static_cast<int>(::syscall(SYS_pidfd_open, pid, 0));
    if (pidfd < 0 && pid >= 0) ::_exit(1);
    report(spawned, pidfd);
    if (plan_.one_run) become_guest(socket_fd, false);
    ::close(socket_fd);
    if (pidfd >= 0) ::close(pidfd);
  }

  [[noreturn]] void become_guest(int socket_fd, bool warm) {
    int descriptors[] = {kNone, kNone, kNone, socket_fd};
    static_assert(std::size(descriptors) == kGuestSocketFd + 1);
    Subject subject{guest_confinement(), missing_layers_};
    subject.descriptors = descriptors;
    subject.peer = kGuestSocketFd;
    subject.filter = filter_;
    subject.parent = plan_.one_run ? 0 : pid_;
    subject.reseed = [this](std::span<const unsigned char, 32> entropy) { program_.reseed(entropy); };
    seal_or_exit(subject);
    if (warm) program_.touch_pages();
    program_.serve();
    ::_exit(1);
  }

  GuestProgram& program_;
  std::vector<sock_filter> filter_;
  std::uint32_t missing_layers_ = 0;
  BootPlan plan_;
  int child_events_ = -1;
  int changes_ = -1;
  const pid_t pid_ = ::getpid();
};

}  // namespace

void zygote_main(GuestProgram& program) {
  Zygote(program).run();
}

}  // namespace glovebox::jail
