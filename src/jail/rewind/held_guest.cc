#include "jail/rewind/held_guest.h"

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include "jail/zygote_protocol.h"

namespace glovebox::jail {
namespace {

// What a sleeping read returns inside the kernel, which begins it anew (ERESTARTSYS).
constexpr long kWouldBeginAnew = -512;
constexpr unsigned long long kSystemCallBytes = 2;
// More than any processor of today has (with AMX 11 KB).
constexpr std::size_t kMostExtendedBytes = 16 * 1024;

constexpr std::chrono::milliseconds kPause{1};
constexpr std::chrono::seconds kPatience{2};

// Its end is the tracer's to see first: the zygote, its parent, learns of it afterwards.
void reap(pid_t pid) {
  while (::waitpid(pid, nullptr, __WALL) == pid || errno == EINTR) {
  }
}

}  // namespace

std::optional<HeldGuest> HeldGuest::begin(pid_t pid) {
  if (::ptrace(PTRACE_SEIZE, pid, nullptr, nullptr) != 0) return std::nullopt;
  HeldGuest guest(pid);
  if (::ptrace(PTRACE_INTERRUPT, pid, nullptr, nullptr) != 0) return std::nullopt;
  return guest;
}

std::optional<HeldGuest> HeldGuest::hold(pid_t pid) {
  auto guest = begin(pid);
  const auto give_up = std::chrono::steady_clock::now() + kPatience;
  while (guest && guest->poll() == State::kStopping && std::chrono::steady_clock::now() < give_up)
    std::this_thread::sleep_for(kPause);
  if (guest && guest->poll() != State::kHeld) guest.reset();
  return guest;
}

HeldGuest::State HeldGuest::poll() {
  if (state_ != State::kStopping) return state_;
  // Asked, not waited for: in a program that waits for all its children, another thread may hear of the stop.
  siginfo_t stop{};
  if (::ptrace(PTRACE_GETSIGINFO, pid_, nullptr, &stop) == 0) {
    if (stop.si_code >> 8 == PTRACE_EVENT_STOP) return state_ = State::kHeld;
    ::kill(pid_, SIGKILL);  // a signal is about to arrive, which may end it: not to be waited for
    return state_;
  }
  siginfo_t end{};
  const int found = ::waitid(P_PID, static_cast<id_t>(pid_), &end, WEXITED | WNOHANG | WNOWAIT | __WALL);
  // A stop is told here, too, if it came just now.
  if (found == 0 && (end.si_pid != pid_ || end.si_code == CLD_TRAPPED || end.si_code == CLD_STOPPED)) return state_;
  if (found == 0) reap(pid_);
  return state_ = State::kGone;
}

HeldGuest::HeldGuest(HeldGuest&& other) noexcept : pid_(std::exchange(other.pid_, -1)), state_(other.state_) {}

HeldGuest& HeldGuest::operator=(HeldGuest&& other) noexcept {
  if (this == &other) return *this;
  let_go();
  pid_ = std::exchange(other.pid_, -1);
  state_ = other.state_;
  return *this;
}

HeldGuest::~HeldGuest() {
  let_go();
}

void HeldGuest::let_go() {
  if (pid_ <= 0 || state_ == State::kGone) return;
  if (state_ == State::kHeld && ::ptrace(PTRACE_DETACH, pid_, nullptr, nullptr) == 0) return;
  ::kill(pid_, SIGKILL);  // ours to reap, so that nobody else has its number
  reap(pid_);
}

std::optional<user_regs_struct> HeldGuest::general() const {
  user_regs_struct registers{};
  iovec part{&registers, sizeof registers};
  if (::ptrace(PTRACE_GETREGSET, pid_, NT_PRSTATUS, &part) != 0) return std::nullopt;
  return registers;
}

bool HeldGuest::waits_for_a_frame() const {
  const auto now = general();
  return now && now->orig_rax == SYS_read && now->rdi == kGuestSocketFd &&
         static_cast<long>(now->rax) == kWouldBeginAnew;
}

std::optional<Registers> HeldGuest::registers() const {
  const auto now = general();
  if (!now) return std::nullopt;
  Registers registers{*now, std::vector<std::byte>(kMostExtendedBytes)};
  iovec part{registers.extended.data(), registers.extended.size()};
  if (::ptrace(PTRACE_GETREGSET, pid_, NT_X86_XSTATE, &part) != 0 || part.iov_len == kMostExtendedBytes)
    return std::nullopt;
  registers.extended.resize(part.iov_len);
  return registers;
}

std::optional<Registers> HeldGuest::registers_before_the_call() const {
  auto before = registers();
  if (!before) return std::nullopt;
  user_regs_struct& general = before->general;
  general.rip -= kSystemCallBytes;
  general.rax = general.orig_rax;
  general.orig_rax = ~0ull;  // not in a call, so that the kernel adjusts nothing
  before->extended.shrink_to_fit();
  return before;
}

bool HeldGuest::set(const Registers& wanted) const {
  iovec general{const_cast<user_regs_struct*>(&wanted.general), sizeof wanted.general};
  iovec extended{const_cast<std::byte*>(wanted.extended.data()), wanted.extended.size()};
  if (::ptrace(PTRACE_SETREGSET, pid_, NT_PRSTATUS, &general) != 0 ||
      ::ptrace(PTRACE_SETREGSET, pid_, NT_X86_XSTATE, &extended) != 0)
    return false;
  // Not all that code can change can be set: the flag ID stays, and before Linux 6.2 the protection keys did.
  const auto now = registers();
  return now && std::memcmp(&now->general, &wanted.general, sizeof wanted.general) == 0 &&
         now->extended == wanted.extended;
}

}  // namespace glovebox::jail
