// For tests: a network namespace of the test's own, where addresses that appear public reach only this process.
#pragma once

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cstring>

#include "base/try.h"
#include "base/unique_fd.h"

namespace glovebox::net::testing {

inline constexpr const char* kPublicAddress = "93.184.216.34";
inline constexpr const char* kOtherPublicAddress = "93.184.216.35";

// Must run before the first thread starts. Root needs no user namespace; other users get one.
inline void enter_own_network() {
  GLOVEBOX_CHECK(::unshare(CLONE_NEWNET) == 0 || ::unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0);
  const base::UniqueFd socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto set_address = [&socket](const char* device, const char* address) {
    ifreq request{};
    std::strncpy(request.ifr_name, device, IFNAMSIZ - 1);
    if (address) {
      sockaddr_in name{};
      name.sin_family = AF_INET;
      ::inet_pton(AF_INET, address, &name.sin_addr);
      std::memcpy(&request.ifr_addr, &name, sizeof name);
      GLOVEBOX_CHECK(::ioctl(socket.get(), SIOCSIFADDR, &request) == 0);
    }
    request.ifr_flags = IFF_UP | IFF_RUNNING | IFF_LOOPBACK;
    GLOVEBOX_CHECK(::ioctl(socket.get(), SIOCSIFFLAGS, &request) == 0);
  };
  set_address("lo", nullptr);
  set_address("lo:1", kPublicAddress);
  set_address("lo:2", kOtherPublicAddress);
}

// gtest makes one of these per program, before any test.
struct OwnNetwork {
  OwnNetwork() { enter_own_network(); }
};
inline const OwnNetwork own_network;

}  // namespace glovebox::net::testing
