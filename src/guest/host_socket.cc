#include "guest/host_socket.h"

#include <errno.h>
#include <unistd.h>

#include "jail/zygote_protocol.h"
#include "wire/limits.h"

namespace glovebox::guest {
namespace {

bool write_all(const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t written = ::write(jail::kGuestSocketFd, data, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    data += written;
    size -= static_cast<std::size_t>(written);
  }
  return true;
}

}  // namespace

HostSocket::HostSocket() : reader_(wire::kMaxFrameBytes) {}

std::string_view HostSocket::receive() {
  std::string_view payload;
  char buffer[64 * 1024];
  while (true) {
    switch (reader_.next(payload)) {
      case wire::FrameReader::State::kFrame: return payload;
      case wire::FrameReader::State::kNeedMore: break;
      default: ::_exit(1);
    }
    const ssize_t got = ::read(jail::kGuestSocketFd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) ::_exit(0);
    reader_.append({buffer, static_cast<std::size_t>(got)});
  }
}

void HostSocket::send(std::string_view payload) {
  // One write for small frames, so that the gateway wakes once.
  if (payload.size() <= 4096) {
    char small[wire::kPrefixBytes + 4096];
    std::string prefix;
    wire::append_prefix(prefix, payload.size());
    prefix.copy(small, wire::kPrefixBytes);
    payload.copy(small + wire::kPrefixBytes, payload.size());
    if (!write_all(small, wire::kPrefixBytes + payload.size())) ::_exit(0);
    return;
  }
  std::string prefix;
  wire::append_prefix(prefix, payload.size());
  if (!write_all(prefix.data(), prefix.size()) || !write_all(payload.data(), payload.size())) ::_exit(0);
}

void await_the_end() {
  char ignored[64];
  while (::read(jail::kGuestSocketFd, ignored, sizeof ignored) > 0) {
  }
  ::_exit(0);
}

void send_last_words(std::string_view payload) {
  const auto length = static_cast<unsigned>(payload.size());
  const char prefix[wire::kPrefixBytes] = {static_cast<char>(length & 0xff), static_cast<char>(length >> 8 & 0xff),
                                           static_cast<char>(length >> 16 & 0xff), static_cast<char>(length >> 24)};
  if (write_all(prefix, sizeof prefix)) write_all(payload.data(), payload.size());
  await_the_end();
}

}  // namespace glovebox::guest
