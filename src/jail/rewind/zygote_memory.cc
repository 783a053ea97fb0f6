#include "jail/rewind/zygote_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include "base/system_error.h"
#include "jail/process_state.h"

namespace glovebox::jail {
namespace {

// Of all guests together: 32 MB, which is more than the zygote writes to.
constexpr std::size_t kMostKeptPages = 8192;

Failure refusal(const std::string& why) {
  return {ErrorCode::kFeatureMissing, why};
}

// The kernel may replace a guest's pages by a huge one by itself, which the guest could write to without a fault.
bool has_no_new_huge_pages(pid_t pid) {
  std::ifstream status(proc_path(pid, "status"));
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("THP_enabled:")) return line.ends_with("\t0");
  }
  return false;
}

}  // namespace

Result<ZygoteMemory> ZygoteMemory::examine(pid_t zygote, pid_t guest) {
  ZygoteMemory memory;
  memory.bytes_.reset(::open(proc_path(zygote, "mem").c_str(), O_RDONLY | O_CLOEXEC));
  if (!memory.bytes_.valid()) return base::system_failure(errno, "reading the zygote's memory");
  if (!has_no_new_huge_pages(guest)) return refusal("the kernel may still give guests huge pages");
  std::ifstream mappings(proc_path(guest, "smaps"));
  for (std::string line; std::getline(mappings, line);) {
    WritableRange range;
    char rights[5] = {};
    if (std::sscanf(line.c_str(), "%lx-%lx %4s", &range.begin, &range.end, rights) == 3) {
      if (rights[1] != 'w') continue;
      if (rights[3] != 'p') return refusal("guests have shared memory that can be written to");
      range.is_stack = line.ends_with("[stack]");
      memory.writable_.push_back(range);
    } else if (line.starts_with("VmFlags:") && line.find(" wf") != std::string::npos) {
      return refusal("guests have memory that a fork wipes");
    } else if (line.starts_with("VmFlags:") && line.find(" mg") != std::string::npos) {
      // A page that the guest has written to would look like one that it shares with the zygote.
      return refusal("the kernel may merge pages of guests");
    }
  }
  if (memory.writable_.empty()) return refusal("the kernel does not show the memory of guests");
  return memory;
}

bool ZygoteMemory::is_usual(unsigned long mapped_bytes) {
  if (mapped_bytes_ == 0) mapped_bytes_ = mapped_bytes;
  return mapped_bytes == mapped_bytes_;
}

const PageBytes* ZygoteMemory::page(std::uintptr_t address) {
  // Of the stack, guests keep what they began with. The rest was nothing yet, whatever the zygote has written there.
  static constexpr PageBytes kNothing{};
  for (const WritableRange& range : writable_) {
    if (range.is_stack && range.begin <= address && address < range.end) return &kNothing;
  }
  if (const auto known = pages_.find(address); known != pages_.end()) return known->second.get();
  if (pages_.size() >= kMostKeptPages) return nullptr;
  auto bytes = std::make_unique<PageBytes>();
  if (::pread(bytes_.get(), bytes->data(), kPageSize, static_cast<off_t>(address)) != kPageSize) return nullptr;
  if (*bytes == kNothing) return &kNothing;
  return (pages_[address] = std::move(bytes)).get();
}

}  // namespace glovebox::jail
