#include "rewind/whole_guest.h"

#include <fcntl.h>
#include <sys/ptrace.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "base/unique_fd.h"
#include "oracle/process_view.h"

namespace glovebox::attack {
namespace {

constexpr std::uintptr_t kPage = 4096;
// Debian 12's headers do not know it.
constexpr auto kGetRestartable = static_cast<__ptrace_request>(0x420f);
constexpr std::size_t kRestartableBytes = 32;
struct Restartable {
  std::uint64_t address;
  std::uint32_t size, signature, flags, padding;
};

jail::HeldGuest hold(pid_t pid) {
  for (int attempt = 0; attempt < 2'000; ++attempt) {
    auto held = jail::HeldGuest::hold(pid);
    if (!held) break;
    if (held->waits_for_a_frame()) return std::move(*held);
    held.reset();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  throw std::runtime_error("guest " + std::to_string(pid) + " does not wait");
}

}  // namespace

WholeGuest::WholeGuest(pid_t pid) {
  const auto held = hold(pid);
  const auto registers = held.registers_before_the_call();
  if (!registers) throw std::runtime_error("the registers cannot be read");
  registers_ = *registers;
  Restartable restartable{};
  if (::ptrace(kGetRestartable, pid, sizeof restartable, &restartable) > 0) {
    restartable_ = restartable.address;
    signature_ = restartable.signature;
  }
  mappings_ = read_proc(pid, "maps");
  read_memory(pid);
}

void WholeGuest::read_memory(pid_t pid) {
  const base::UniqueFd memory(::open(("/proc/" + std::to_string(pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC));
  const base::UniqueFd pages(::open(("/proc/" + std::to_string(pid) + "/pagemap").c_str(), O_RDONLY | O_CLOEXEC));
  std::istringstream lines(mappings_);
  for (std::string line; std::getline(lines, line);) {
    std::uintptr_t from = 0, to = 0;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &from, &to, rights) != 3 || rights[0] != 'r') continue;
    // Only what is there: to read the rest would change it.
    std::vector<std::uint64_t> words((to - from) / kPage);
    const auto bytes = static_cast<ssize_t>(words.size() * sizeof words[0]);
    if (::pread(pages.get(), words.data(), static_cast<std::size_t>(bytes), static_cast<off_t>(from / kPage * 8)) !=
        bytes)
      continue;
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (!(words[i] >> 63 & 1)) continue;
      const std::uintptr_t at = from + i * kPage;
      std::string& page = memory_[at];
      page.resize(kPage);
      if (::pread(memory.get(), page.data(), kPage, static_cast<off_t>(at)) != static_cast<ssize_t>(kPage))
        throw std::runtime_error("the memory cannot be read: " + line);
      if (words[i] >> 61 & 1) file_pages_.insert(at);
      if (rights[1] != 'w' || (words[i] >> 61 & 1)) continue;
      if (words[i] >> 56 & 1) {
        own_pages_.push_back(at);
      } else if (!line.ends_with("[stack]")) {
        shared_pages_.push_back(at);
      }
    }
  }
}

std::string WholeGuest::difference(const WholeGuest& other) const {
  std::ostringstream out;
  if (mappings_ != other.mappings_) out << "mappings:\n" << mappings_ << "\nand:\n" << other.mappings_;
  if (std::memcmp(&registers_.general, &other.registers_.general, sizeof registers_.general) != 0)
    out << "general registers; ";
  if (registers_.extended != other.registers_.extended) {
    out << "extended registers at";
    for (std::size_t i = 0; i < registers_.extended.size(); ++i) {
      if (i >= other.registers_.extended.size() || registers_.extended[i] != other.registers_.extended[i])
        out << ' ' << i;
    }
    out << "; ";
  }
  static const std::string kNothing(kPage, '\0');
  const auto page_of = [](const WholeGuest& guest, std::uintptr_t address) -> const std::string& {
    const auto found = guest.memory_.find(address);
    return found == guest.memory_.end() ? kNothing : found->second;
  };
  std::set<std::uintptr_t> addresses;
  for (const WholeGuest* guest : {this, &other}) {
    for (const auto& [address, page] : guest->memory_) addresses.insert(address);
  }
  for (const std::uintptr_t address : addresses) {
    if (file_pages_.contains(address) != other.file_pages_.contains(address) &&
        memory_.contains(address) != other.memory_.contains(address))
      continue;
    std::string one = page_of(*this, address), another = page_of(other, address);
    if (address == (restartable_ & ~(kPage - 1))) {
      for (std::string* const page : {&one, &another})
        page->replace(restartable_ & (kPage - 1), kRestartableBytes, kRestartableBytes, ' ');
    }
    if (one != another) out << "memory at " << std::hex << address << std::dec << "; ";
  }
  return out.str();
}

}  // namespace glovebox::attack
