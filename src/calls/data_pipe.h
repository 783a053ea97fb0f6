// Bytes on their way from a thread that reads them to the guest: a few buffers that go round, so that a large file
// costs no more memory than a small one and a slow guest stops the reader.
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
    std::span<char> room();  // what is still free
  };

  // On the reading thread: a free buffer, or null when all are on their way. The thread has other things to do than to
  // wait for a guest, which may itself be waiting for one of them.
  Piece* acquire();
  // On the loop thread: the piece as frames to be sent, after which it is free again.
  OutgoingBytes to_send(Piece* piece);

 private:
  std::uint64_t call_id_;
  std::uint64_t expected_bytes_;
  std::size_t piece_bytes_;
  std::function<void()> freed_;
  std::array<Piece, 3> pieces_;
};

}  // namespace glovebox::calls
