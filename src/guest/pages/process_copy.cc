#include "guest/pages/process_copy.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace glovebox::guest {
namespace {

// As much as a pipe holds: the copy need not wait for its reader.
constexpr std::size_t kMostAddresses = 65536 / sizeof(std::uintptr_t);

}  // namespace

AddressList::AddressList() {
  void* memory =
      ::mmap(nullptr, kMostAddresses * sizeof room_[0], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) room_ = {static_cast<std::uintptr_t*>(memory), kMostAddresses};
}

bool AddressList::add(std::uintptr_t address) {
  if (count_ == room_.size()) return false;
  room_[count_++] = address;
  return true;
}

std::vector<std::uintptr_t> ask_copy(const std::function<bool(AddressList&)>& work) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) return {};
  const auto pid = static_cast<pid_t>(::syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, 0));
  if (pid == 0) {
    AddressList list;
    if (!work(list)) ::_exit(1);
    const auto told = list.addresses();
    ::_exit(::syscall(SYS_write, ends[1], told.data(), told.size_bytes()) == static_cast<long>(told.size_bytes()) ? 0
                                                                                                                  : 1);
  }
  ::close(ends[1]);
  std::vector<std::uintptr_t> heard(kMostAddresses);
  std::size_t bytes = 0;
  for (ssize_t size = 1; size > 0; bytes += static_cast<std::size_t>(size)) {
    size = ::read(ends[0], reinterpret_cast<char*>(heard.data()) + bytes, kMostAddresses * sizeof heard[0] - bytes);
    if (size < 0) break;
  }
  ::close(ends[0]);
  int status = 1;
  if (pid < 0 || ::waitpid(pid, &status, 0) != pid || status != 0) return {};
  heard.resize(bytes / sizeof heard[0]);
  return heard;
}

}  // namespace glovebox::guest
