// How a keeper gives an engine to a command: one packet with descriptors.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>

#include "base/unique_fd.h"
#include "jail/launcher.h"

namespace glovebox::standby {

// What a ZygoteProcess consists of. It is for one run, and has been asked for its only guest.
struct StandbyEngine {
  pid_t pid = -1;
  std::uint32_t missing_layers = 0;
  base::UniqueFd pidfd;
  base::UniqueFd control;
  base::UniqueFd guest;
  base::UniqueFd keeper;  // when this is closed, it is killed; its wait status is reported here
};

// Its guest's socket is not ours any more.
bool send_engine(int connection, jail::ZygoteProcess& zygote);

// Nothing if it is not what a keeper sends. The keeper must have made the sockets.
std::optional<StandbyEngine> receive_engine(int connection, pid_t keeper);

// Of the process at the other end.
struct Peer {
  pid_t pid = -1;
  uid_t uid = static_cast<uid_t>(-1);
};
Peer peer_of(int socket);
// Since Linux 6.5: of the process that connected, not of one that has its pid by now.
base::UniqueFd pidfd_of_peer(int socket);

}  // namespace glovebox::standby
