// What a guest was when it first waited for a frame, before any code of a run: its registers, and the bytes of every
// page that can have changed since. docs/decisions/12-rewind.md has the argument why that is all.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "base/unique_fd.h"
#include "jail/rewind/held_guest.h"
#include "jail/rewind/zygote_memory.h"

namespace glovebox::jail {

class GuestImage {
 public:
  // Of a guest that is held while it waits. Null, or why it cannot be rewound.
  const char* capture(const HeldGuest& guest, pid_t pid, ZygoteMemory& zygote);
  // Makes a guest that is held what it was. Null, or why it must die instead.
  const char* restore(const HeldGuest& guest, pid_t pid, ZygoteMemory& zygote);

 private:
  // As the kernel counts and the guest cannot change.
  struct Facts {
    unsigned long faults = 0;
    unsigned long mapped_bytes = 0;
    unsigned long pending_signals = 0;
    long nice = 0;
    long threads = 0;
  };
  std::optional<Facts> facts() const;
  // Pages that it can have written to, and those of its stack that it has not.
  struct Pages {
    std::vector<std::uintptr_t> own, stack;
  };
  const char* find_pages(pid_t pid, const ZygoteMemory& zygote, Pages& found) const;
  const char* keep(pid_t pid, ZygoteMemory& zygote, std::span<const std::uintptr_t> addresses,
                   std::map<std::uintptr_t, const PageBytes*>& pages);
  const char* add_written_pages(pid_t pid, ZygoteMemory& zygote);
  bool write_pages(pid_t pid);
  void prepare_writing();

  Registers registers_;
  Facts facts_;
  base::UniqueFd stat_;                                // stays bound to this process, even if its pid is reused
  std::map<std::uintptr_t, const PageBytes*> pages_;   // to be put back
  std::map<std::uintptr_t, const PageBytes*> stack_;   // once it has written to them
  std::vector<std::unique_ptr<PageBytes>> differing_;  // from the zygote's
  std::vector<iovec> sources_, targets_;
};

}  // namespace glovebox::jail
