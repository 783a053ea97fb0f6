#include "standby/request.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "standby/place.h"
#include "standby/start_state.h"

namespace glovebox::standby {
namespace {

// A keeper answers within a fraction of a millisecond, if the machine lets it. One that hangs costs each command this.
constexpr int kPatienceMs = 100;

}  // namespace

std::optional<StandbyEngine> request_engine() {
  const char* const wanted = ::getenv(kVariable);
  if (!wanted || *wanted < '1' || *wanted > '9') return std::nullopt;
  const auto folder = open_folder(folder_path());
  const std::string name = folder ? socket_name() : "";
  if (name.empty()) return std::nullopt;
  base::UniqueFd keeper(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const sockaddr_un address = address_in(*folder, name);
  // To connect is to ask.
  if (::connect(keeper.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return std::nullopt;
  const Peer peer = peer_of(keeper.get());
  const base::UniqueFd process = pidfd_of_peer(keeper.get());
  if (peer.uid != ::geteuid() || !is_in_state(process, peer.pid, start_state(::getpid()))) return std::nullopt;
  pollfd answer{keeper.get(), POLLIN, 0};
  if (::poll(&answer, 1, kPatienceMs) != 1) return std::nullopt;
  auto engine = receive_engine(keeper.get(), peer.pid);
  if (engine) engine->keeper = std::move(keeper);
  return engine;
}

}  // namespace glovebox::standby
