#include "gateway/adoption/wake.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio/local/datagram_protocol.hpp>
#include <cstring>

#include "base/system_error.h"
#include "base/unique_fd.h"

namespace glovebox::gateway {
namespace {

// A socket's address has room for 107 bytes, and a workspace's path may be longer: so the folder is addressed by its
// descriptor.
struct Address {
  base::UniqueFd folder;
  sockaddr_un address{};
};

Result<Address> address_of(const std::string& state_folder, const std::string& owner) {
  Address made;
  made.folder.reset(::open((state_folder + "/gateways").c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!made.folder.valid()) return base::system_failure(errno, state_folder + "/gateways");
  const std::string path = "/proc/self/fd/" + std::to_string(made.folder.get()) + "/" + owner + ".sock";
  if (path.size() >= sizeof made.address.sun_path || owner.find('/') != std::string::npos) {
    return Failure{ErrorCode::kInvalidArgument, "no socket can have the name " + owner};
  }
  made.address.sun_family = AF_UNIX;
  std::memcpy(made.address.sun_path, path.c_str(), path.size() + 1);
  return made;
}

}  // namespace

struct WakeSocket::State : std::enable_shared_from_this<State> {
  State(boost::asio::any_io_executor executor, int fd, std::function<void()> woken)
      : socket(executor, boost::asio::local::datagram_protocol(), fd), on_wake(std::move(woken)) {}

  void wait() {
    socket.async_wait(socket.wait_read, [self = shared_from_this()](const boost::system::error_code& error) {
      if (error || self->closed) return;
      char ignored[64];
      while (::recv(self->socket.native_handle(), ignored, sizeof ignored, MSG_DONTWAIT) >= 0) {
      }
      self->on_wake();
      if (!self->closed) self->wait();
    });
  }

  boost::asio::local::datagram_protocol::socket socket;
  std::function<void()> on_wake;
  std::string path;
  bool closed = false;
};

Result<std::unique_ptr<WakeSocket>> WakeSocket::open(boost::asio::any_io_executor executor,
                                                     const std::string& state_folder, const std::string& owner,
                                                     std::function<void()> on_wake) {
  const auto address = address_of(state_folder, owner);
  if (!address) return address.failure();
  base::UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.valid()) return base::system_failure(errno, "a socket cannot be made");
  ::fchmod(socket.get(), 0600);  // before it has a name; its folder is closed to others as well
  const auto* name = reinterpret_cast<const sockaddr*>(&address.value().address);
  if (::bind(socket.get(), name, sizeof(sockaddr_un)) != 0) {
    return base::system_failure(errno, "the socket in " + state_folder + "/gateways cannot be made");
  }
  auto state = std::make_shared<State>(executor, socket.release(), std::move(on_wake));
  state->path = state_folder + "/gateways/" + owner + ".sock";
  state->wait();
  return std::unique_ptr<WakeSocket>(new WakeSocket(std::move(state)));
}

WakeSocket::~WakeSocket() {
  state_->closed = true;
  ::unlink(state_->path.c_str());
  boost::system::error_code ignored;
  state_->socket.close(ignored);
}

void wake_gateway(const std::string& state_folder, const std::string& owner) {
  const auto address = address_of(state_folder, owner);
  if (!address) return;
  const base::UniqueFd socket(::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const auto* name = reinterpret_cast<const sockaddr*>(&address.value().address);
  (void)!::sendto(socket.get(), "!", 1, MSG_NOSIGNAL, name, sizeof(sockaddr_un));
}

}  // namespace glovebox::gateway
