// Guest side: what a guest has given up before it reads its first byte, as an ordered list that fails closed. What a
// fork inherits and no guest could win back is made once, in the zygote; the rest in every guest.
#pragma once

#include <linux/filter.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <span>

namespace glovebox::jail {

struct SealSpec {
  int socket_fd = -1;                   // becomes kGuestSocketFd
  std::span<const sock_filter> filter;  // compiled by the gateway
  std::uint32_t missing_layers = 0;     // kWithout…: accepted by the owner
  pid_t zygote = 0;                     // whose child this is; 0: it was the zygote itself
  std::function<void(std::span<const unsigned char, 32>)> reseed;
};

enum class SealedIn { kZygote, kGuest };

struct SealStep {
  const char* name;
  SealedIn where;
  bool (*apply)(const SealSpec& spec);
};

// In the order in which they are applied: the zygote's, then the guest's.
std::span<const SealStep> seal_steps();

// In the zygote, before its first fork. Null, or the name of the step that failed: then there must be no guest.
const char* seal_zygote(const SealSpec& spec);

// In a guest of a zygote that is sealed: the rest. On the first step that fails, ends the process with kSealFailedExit
// + its index: a guest that is not sealed must not exist.
void seal_or_exit(const SealSpec& spec);

}  // namespace glovebox::jail
