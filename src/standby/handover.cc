#include "standby/handover.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <string>

#include "standby/start_state.h"

#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif

namespace glovebox::standby {
namespace {

struct Packet {
  std::int32_t pid;
  std::uint32_t missing_layers;
};

enum Descriptor { kPidfd, kControl, kGuest, kDescriptors };

union ControlData {
  cmsghdr header;
  char bytes[CMSG_SPACE(sizeof(int) * kDescriptors)];
};

msghdr message_with(iovec& part, ControlData& control) {
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.bytes;
  message.msg_controllen = sizeof control.bytes;
  return message;
}

// Those of a message, so that none stays open whatever is wrong with it.
std::array<base::UniqueFd, kDescriptors> take_descriptors(msghdr& message, bool& complete) {
  std::array<base::UniqueFd, kDescriptors> taken;
  std::size_t count = 0;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part; part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    for (std::size_t at = CMSG_LEN(0); at + sizeof(int) <= part->cmsg_len; at += sizeof(int)) {
      int fd;
      std::memcpy(&fd, reinterpret_cast<char*>(part) + at, sizeof fd);
      base::UniqueFd owned(fd);
      if (count++ < kDescriptors) taken[count - 1] = std::move(owned);
    }
  }
  complete = count == kDescriptors && !(message.msg_flags & (MSG_CTRUNC | MSG_TRUNC));
  return taken;
}

// One of a pair that the keeper made.
bool is_keepers_socket(const base::UniqueFd& fd, int type, pid_t keeper) {
  int found = 0;
  socklen_t size = sizeof found;
  if (::getsockopt(fd.get(), SOL_SOCKET, SO_TYPE, &found, &size) != 0 || found != type) return false;
  const Peer peer = peer_of(fd.get());
  return peer.pid == keeper && peer.uid == ::geteuid();
}

// An engine that has booted has said so, and its guest waits in silence.
bool has_message(const base::UniqueFd& socket) {
  char byte;
  return ::recv(socket.get(), &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) > 0;
}
bool is_silent(const base::UniqueFd& socket) {
  char byte;
  return ::recv(socket.get(), &byte, sizeof byte, MSG_PEEK | MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

bool is_pidfd_of(const base::UniqueFd& fd, pid_t pid) {
  char text[512] = {};
  const base::UniqueFd info(::open(("/proc/self/fdinfo/" + std::to_string(fd.get())).c_str(), O_RDONLY | O_CLOEXEC));
  if (!info.valid() || ::read(info.get(), text, sizeof text - 1) <= 0) return false;
  const char* line = std::strstr(text, "\nPid:");
  return line && pid > 0 && std::strtol(line + 5, nullptr, 10) == pid;
}

}  // namespace

bool send_engine(int connection, jail::ZygoteProcess& zygote) {
  const base::UniqueFd guest = zygote.take_only_guest();
  Packet packet{zygote.pid(), zygote.missing_layers()};
  iovec part{&packet, sizeof packet};
  ControlData control{};
  msghdr message = message_with(part, control);
  cmsghdr* const rights = CMSG_FIRSTHDR(&message);
  rights->cmsg_level = SOL_SOCKET;
  rights->cmsg_type = SCM_RIGHTS;
  rights->cmsg_len = CMSG_LEN(sizeof(int) * kDescriptors);
  const int descriptors[kDescriptors] = {zygote.pidfd(), zygote.control_fd(), guest.get()};
  std::memcpy(CMSG_DATA(rights), descriptors, sizeof descriptors);
  return ::sendmsg(connection, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof packet;
}

std::optional<StandbyEngine> receive_engine(int connection, pid_t keeper) {
  Packet packet{};
  iovec part{&packet, sizeof packet};
  ControlData control{};
  msghdr message = message_with(part, control);
  const ssize_t size = ::recvmsg(connection, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
  if (size < 0) return std::nullopt;
  bool complete = false;
  auto descriptors = take_descriptors(message, complete);
  if (!complete || size != sizeof packet) return std::nullopt;
  StandbyEngine engine{packet.pid,
                       packet.missing_layers,
                       std::move(descriptors[kPidfd]),
                       std::move(descriptors[kControl]),
                       std::move(descriptors[kGuest]),
                       {}};
  const bool right = is_pidfd_of(engine.pidfd, engine.pid) && may_be_signalled(engine.pidfd) &&
                     is_keepers_socket(engine.control, SOCK_SEQPACKET, keeper) &&
                     is_keepers_socket(engine.guest, SOCK_STREAM, keeper) && has_message(engine.control) &&
                     is_silent(engine.guest);
  if (!right) return std::nullopt;
  return engine;
}

Peer peer_of(int socket) {
  ucred known{};
  socklen_t size = sizeof known;
  if (::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &known, &size) != 0) return {};
  return {known.pid, known.uid};
}

base::UniqueFd pidfd_of_peer(int socket) {
  int pidfd = -1;
  socklen_t size = sizeof pidfd;
  return base::UniqueFd(::getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, &pidfd, &size) == 0 ? pidfd : -1);
}

}  // namespace glovebox::standby
