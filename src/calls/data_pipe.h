// Moves bytes from a reading thread to the guest through a few buffers that are reused, so that a large file costs no
// more memory than a small one and a slow guest pauses the reader.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "calls/call.h"

namespace glovebox::calls {

class DataPipe : public std::enable_shared_from_this<DataPipe> {
 public:
  // `freed` is called on the loop thread whenever a buffer is free again.
  DataPipe(std::uint64_t call_id, std::uint64_t expected_bytes, std::function<void()> freed);

  struct Piece {
    std::string frame;  // prefix and header, then room for the bytes
    std::size_t used = 0;
    std::atomic<bool> taken = false;
    std::span<char> room();  // the unused part
  };

  // On the reading thread: a free buffer, or null if all are in use. It does not block: the guest may be waiting for
  // other work of that thread.
  Piece* acquire();
  // On the loop thread: the piece as a frame to be sent; then it is free again.
  OutgoingBytes to_send(Piece* piece);

 private:
  std::uint64_t call_id_;
  std::uint64_t expected_bytes_;
  std::size_t piece_bytes_;
  std::function<void()> freed_;
  std::array<Piece, 3> pieces_;
};

}  // namespace glovebox::calls
