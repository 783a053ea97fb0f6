#include "standby/request.h"

#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "standby/place.h"

namespace glovebox::standby {
namespace {

// A keeper answers within a fraction of a millisecond. One that hangs costs this once, and not more than a few starts.
constexpr int kPatienceMs = 30;

}  // namespace

std::optional<Request> Request::send() {
  const char* const wanted = ::getenv(kVariable);
  if (!wanted || !*wanted) return std::nullopt;
  const auto folder = open_folder(folder_path());
  if (!folder) return std::nullopt;
  const std::string name = socket_name();
  base::UniqueFd connection(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  const sockaddr_un address = address_in(*folder, name);
  // To connect is to ask.
  if (name.empty() ||
      ::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return std::nullopt;
  if (peer_of(connection.get()).uid != ::geteuid()) return std::nullopt;
  return Request(std::move(connection));
}

std::optional<StandbyEngine> Request::receive() {
  pollfd answer{connection_.get(), POLLIN, 0};
  if (::poll(&answer, 1, kPatienceMs) != 1) return std::nullopt;
  return receive_engine(connection_.get(), peer_of(connection_.get()).pid);
}

}  // namespace glovebox::standby
