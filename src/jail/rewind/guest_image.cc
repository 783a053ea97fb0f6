#include "jail/rewind/guest_image.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "jail/process_state.h"

namespace glovebox::jail {
namespace {

// 2 MB. A program that writes to more does not notice the time that a new guest takes.
constexpr std::size_t kMostPages = 512;

// One word for each page, as Linux's pagemap.rst describes them.
constexpr bool is_present(std::uint64_t page) {
  return page >> 63 & 1;
}
constexpr bool is_swapped(std::uint64_t page) {
  return page >> 62 & 1;
}
constexpr bool is_of_file(std::uint64_t page) {
  return page >> 61 & 1;
}
// In this process alone: not shared with the zygote since the fork.
constexpr bool is_alone(std::uint64_t page) {
  return page >> 56 & 1;
}

}  // namespace

std::optional<GuestImage::Facts> GuestImage::facts() const {
  char text[1024] = {};
  if (::pread(stat_.get(), text, sizeof text - 1, 0) <= 0) return std::nullopt;
  const char* const name_end = std::strrchr(text, ')');
  Facts facts;
  unsigned long minor = 0, major = 0;
  if (!name_end ||
      std::sscanf(name_end,
                  ") %*c %*d %*d %*d %*d %*d %*u %lu %*u %lu %*u %*u %*u %*d %*d %*d %ld %ld %*d %*u %lu "
                  "%*d %*u %*u %*u %*u %*u %*u %lu",
                  &minor, &major, &facts.nice, &facts.threads, &facts.mapped_bytes, &facts.pending_signals) != 6) {
    return std::nullopt;
  }
  facts.faults = minor + major;
  return facts;
}

const char* GuestImage::find_pages(pid_t pid, const ZygoteMemory& zygote, Pages& found) const {
  const base::UniqueFd table(::open(proc_path(pid, "pagemap").c_str(), O_RDONLY | O_CLOEXEC));
  if (!table.valid()) return "its page table cannot be read";
  std::array<std::uint64_t, 4096> words;
  for (const WritableRange& range : zygote.writable()) {
    for (std::uintptr_t begin = range.begin; begin < range.end;) {
      const std::size_t count = std::min(words.size(), (range.end - begin) / kPageSize);
      const auto bytes = static_cast<ssize_t>(count * sizeof words[0]);
      const auto at = static_cast<off_t>(begin / kPageSize * sizeof words[0]);
      if (::pread(table.get(), words.data(), static_cast<std::size_t>(bytes), at) != bytes)
        return "its page table cannot be read";
      for (std::size_t i = 0; i < count; ++i) {
        if (is_swapped(words[i])) return "a page is swapped out";
        if (!is_present(words[i]) || is_of_file(words[i])) continue;
        if (is_alone(words[i])) found.own.push_back(begin + i * kPageSize);
        if (range.is_stack && !is_alone(words[i])) found.stack.push_back(begin + i * kPageSize);
      }
      begin += count * kPageSize;
    }
  }
  return found.own.size() > kMostPages ? "it has written to too many pages" : nullptr;
}

const char* GuestImage::capture(const HeldGuest& guest, pid_t pid, ZygoteMemory& zygote) {
  stat_.reset(::open(proc_path(pid, "stat").c_str(), O_RDONLY | O_CLOEXEC));
  const auto now = stat_.valid() ? facts() : std::nullopt;
  if (!now || now->threads != 1 || now->pending_signals != 0) return "its state cannot be read";
  if (!zygote.is_usual(now->mapped_bytes)) return "its mappings are not those of other guests";
  facts_ = *now;
  auto registers = guest.registers_before_the_call();
  if (!registers) return "its registers cannot be read";
  registers_ = std::move(*registers);
  Pages pages;
  if (const char* const why = find_pages(pid, zygote, pages)) return why;
  if (const char* const why = keep(pid, zygote, pages.own, pages_)) return why;
  // The zygote goes on writing to its stack, so what the guest has of it is kept.
  if (const char* const why = keep(pid, zygote, pages.stack, stack_)) return why;
  prepare_writing();
  return nullptr;
}

const char* GuestImage::keep(pid_t pid, ZygoteMemory& zygote, std::span<const std::uintptr_t> addresses,
                             std::map<std::uintptr_t, const PageBytes*>& pages) {
  for (const std::uintptr_t address : addresses) {
    auto bytes = std::make_unique<PageBytes>();
    iovec target{bytes->data(), kPageSize};
    iovec source{reinterpret_cast<void*>(address), kPageSize};
    if (::process_vm_readv(pid, &target, 1, &source, 1, 0) != kPageSize) return "its memory cannot be read";
    const PageBytes* const zygotes = zygote.page(address);
    const bool is_zygotes = zygotes && *zygotes == *bytes;
    pages[address] = is_zygotes ? zygotes : differing_.emplace_back(std::move(bytes)).get();
  }
  return nullptr;
}

const char* GuestImage::restore(const HeldGuest& guest, pid_t pid, ZygoteMemory& zygote) {
  const auto now = facts();
  if (!now) return "its state cannot be read";
  if (now->threads != 1 || now->nice != facts_.nice) return "it is not scheduled as it was";
  if (now->pending_signals != 0) return "a signal is about to arrive";
  if (now->mapped_bytes != facts_.mapped_bytes) return "its stack has grown";
  // Without a fault, no page can have become its own.
  if (now->faults != facts_.faults) {
    if (const char* const why = add_written_pages(pid, zygote)) return why;
    facts_.faults = now->faults;
  }
  if (!write_pages(pid)) return "its memory cannot be written";
  return guest.set(registers_) ? nullptr : "its registers cannot be set";
}

const char* GuestImage::add_written_pages(pid_t pid, ZygoteMemory& zygote) {
  Pages now;
  if (const char* const why = find_pages(pid, zygote, now)) return why;
  const std::size_t before = pages_.size();
  for (const std::uintptr_t address : now.own) {
    const auto [place, is_new] = pages_.try_emplace(address, nullptr);
    if (!is_new) continue;
    const auto kept = stack_.find(address);
    place->second = kept != stack_.end() ? kept->second : zygote.page(address);
    if (!place->second) return "what a page was cannot be read";
  }
  if (pages_.size() > kMostPages) return "it has written to too many pages";
  if (pages_.size() != before) prepare_writing();
  return nullptr;
}

// Neighbours are one target.
void GuestImage::prepare_writing() {
  sources_.clear();
  targets_.clear();
  for (const auto& [address, bytes] : pages_) {
    sources_.push_back({const_cast<PageBytes*>(bytes)->data(), kPageSize});
    iovec* const last = targets_.empty() ? nullptr : &targets_.back();
    if (last && reinterpret_cast<std::uintptr_t>(last->iov_base) + last->iov_len == address) {
      last->iov_len += kPageSize;
    } else {
      targets_.push_back({reinterpret_cast<void*>(address), kPageSize});
    }
  }
}

bool GuestImage::write_pages(pid_t pid) {
  return ::process_vm_writev(pid, sources_.data(), sources_.size(), targets_.data(), targets_.size(), 0) ==
         static_cast<ssize_t>(sources_.size() * kPageSize);
}

}  // namespace glovebox::jail
