// Two connected sockets of this machine, closed by exec.
#pragma once

#include <errno.h>
#include <sys/socket.h>

#include "base/system_error.h"
#include "base/unique_fd.h"
#include "glovebox/result.h"

namespace glovebox::base {

struct SocketPair {
  UniqueFd ours;
  UniqueFd theirs;
};

inline Result<SocketPair> socket_pair(int type) {
  int ends[2];
  if (::socketpair(AF_UNIX, type | SOCK_CLOEXEC, 0, ends) != 0) return system_failure(errno, "socketpair");
  return SocketPair{UniqueFd(ends[0]), UniqueFd(ends[1])};
}

}  // namespace glovebox::base
