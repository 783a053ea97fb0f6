// All of a guest that waits for a frame, as another process sees it: mappings, memory, registers.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "jail/rewind/held_guest.h"

namespace glovebox::attack {

class WholeGuest {
 public:
  // Throws std::runtime_error if it does not wait.
  explicit WholeGuest(pid_t pid);

  // Empty: both are the same, but for what the kernel itself writes for restartable sequences, such as which processor
  // the thread is on, and for pages of files that it has read meanwhile.
  std::string difference(const WholeGuest& other) const;
  // Where it has registered for restartable sequences, and with which signature; 0: it has not.
  std::uintptr_t restartable() const { return restartable_; }
  std::uint32_t restartable_signature() const { return signature_; }
  // Pages in memory that can be written to, which it does not share with its zygote.
  const std::vector<std::uintptr_t>& own_pages() const { return own_pages_; }
  // Those that it does share, but for its stack.
  const std::vector<std::uintptr_t>& shared_pages() const { return shared_pages_; }

 private:
  void read_memory(pid_t pid);

  std::string mappings_;
  jail::Registers registers_;
  std::map<std::uintptr_t, std::string> memory_;  // pages that are there, by their address
  std::uintptr_t restartable_ = 0;
  std::uint32_t signature_ = 0;
  std::vector<std::uintptr_t> own_pages_, shared_pages_;
  std::set<std::uintptr_t> file_pages_;
};

}  // namespace glovebox::attack
