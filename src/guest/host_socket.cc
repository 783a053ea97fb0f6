#include "guest/host_socket.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "guest/pages/large_blocks.h"
#include "jail/zygote_protocol.h"
#include "wire/data_frame.h"
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

// Ends the process when there is nothing more to read, which means that the gateway is gone.
std::size_t read_some(char* out, std::size_t size) {
  while (true) {
    const ssize_t got = ::read(jail::kGuestSocketFd, out, size);
    if (got > 0) return static_cast<std::size_t>(got);
    if (got == 0 || errno != EINTR) ::_exit(0);
  }
}

}  // namespace

void HostSocket::need(std::size_t bytes) {
  if (begin_ + bytes > buffer_.size()) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  while (end_ - begin_ < bytes) end_ += read_some(buffer_.data() + end_, buffer_.size() - end_);
}

// What is in the buffer, then straight from the socket.
void HostSocket::take(char* out, std::size_t size) {
  const std::size_t there = std::min(size, end_ - begin_);
  std::memcpy(out, buffer_.data() + begin_, there);
  begin_ += there;
  for (std::size_t got = there; got < size;) got += read_some(out + got, size - got);
}

void HostSocket::receive_data(std::size_t payload_bytes) {
  if (payload_bytes <= wire::kDataHeaderBytes) ::_exit(1);
  need(wire::kDataHeaderBytes + 1);
  const auto piece = wire::read_data({buffer_.data() + begin_, wire::kDataHeaderBytes + 1});
  begin_ += wire::kDataHeaderBytes;
  std::size_t left = payload_bytes - wire::kDataHeaderBytes;
  if (char* out = incoming_.room(piece->call_id, piece->expected_bytes, left)) return take(out, left);
  for (char nowhere[4096]; left > 0;) {
    const std::size_t size = std::min(left, sizeof nowhere);
    take(nowhere, size);
    left -= size;
  }
}

std::string_view HostSocket::receive() {
  large_.reset();
  while (true) {
    need(wire::kPrefixBytes);
    std::size_t length = 0;
    for (std::size_t i = 0; i < wire::kPrefixBytes; ++i) {
      length |= static_cast<std::size_t>(static_cast<unsigned char>(buffer_[begin_ + i])) << (8 * i);
    }
    if (length == 0 || length > wire::kMaxFrameBytes) ::_exit(1);
    begin_ += wire::kPrefixBytes;
    need(1);
    if (wire::is_data({buffer_.data() + begin_, 1})) {
      receive_data(length);
      continue;
    }
    if (length <= buffer_.size()) {
      need(length);
      const std::string_view payload(buffer_.data() + begin_, length);
      begin_ += length;
      return payload;
    }
    large_.reset(new char[length]);
    prefer_huge_pages(large_.get(), length);
    take(large_.get(), length);
    return {large_.get(), length};
  }
}

void HostSocket::send_data(std::uint64_t call_id, std::span<const std::uint8_t> bytes) {
  while (!bytes.empty()) {
    const auto piece = bytes.first(std::min(bytes.size(), wire::kMaxDataBytes));
    bytes = bytes.subspan(piece.size());
    char head[wire::kPrefixBytes + wire::kDataHeaderBytes];
    wire::write_data_header(head, call_id, 0, piece.size());
    if (!write_all(head, sizeof head) || !write_all(reinterpret_cast<const char*>(piece.data()), piece.size())) {
      ::_exit(0);
    }
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
