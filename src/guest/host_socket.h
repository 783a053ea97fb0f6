// The guest's end of its one socket: whole frames in, whole frames out, blocking.
#pragma once

#include <string>
#include <string_view>

#include "wire/frame.h"

namespace glovebox::guest {

class HostSocket {
 public:
  HostSocket();
  // The next frame's payload, valid until the next call. Ends the process when the gateway is gone.
  std::string_view receive();
  // Ends the process when the gateway is gone.
  void send(std::string_view payload);

 private:
  wire::FrameReader reader_;
};

// The run is over. Waits to be killed, so that the gateway can still see what the guest used.
[[noreturn]] void await_the_end();

// Sends a ready-made frame without touching any allocator, then ends the process: for when memory has run out.
[[noreturn]] void send_last_words(std::string_view payload);

}  // namespace glovebox::guest
