// Guest side: what a fresh fork gives up before it reads its first byte, as an ordered list that fails closed.
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

struct SealStep {
  const char* name;
  bool (*apply)(const SealSpec& spec);
};

// In the order in which they are applied.
std::span<const SealStep> seal_steps();

// Applies every step. On the first that fails, ends the process with kSealFailedExit + its index: a guest that is not
// sealed must not exist.
void seal_or_exit(const SealSpec& spec);

}  // namespace glovebox::jail
