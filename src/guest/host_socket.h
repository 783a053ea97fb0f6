// The guest's end of its one socket: whole frames in, whole frames out, blocking.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "guest/incoming_bytes.h"
#include "wire/frame.h"

namespace glovebox::guest {

class HostSocket {
 public:
  explicit HostSocket(CountingAllocator& buffers) : incoming_(buffers) {}
  // The next frame of JSON, valid until the next call. Bytes of calls that come before it are gathered on the way. Ends
  // the process when the gateway is gone.
  std::string_view receive();
  IncomingBytes& incoming() { return incoming_; }
  // Both end the process when the gateway is gone.
  void send(std::string_view payload);
  void send_data(std::uint64_t call_id, std::span<const std::uint8_t> bytes);

 private:
  void need(std::size_t bytes);  // at the front of buffer_
  void take(char* out, std::size_t size);
  void receive_data(std::size_t payload_bytes);

  IncomingBytes incoming_;
  std::array<char, 16 * 1024> buffer_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::unique_ptr<char[]> large_;
};

// The run is over. Waits to be killed, so that the gateway can still see what the guest used.
[[noreturn]] void await_the_end();

// Sends a ready-made frame without touching any allocator, then ends the process: for when memory has run out.
[[noreturn]] void send_last_words(std::string_view payload);

}  // namespace glovebox::guest
