// Bytes on their way from a thread that reads them to the guest: a few buffers that go round, so that a large file
// costs no more memory than a small one and a slow guest stops the reader.
#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>

#include "broker/call.h"

namespace glovebox::broker {

class DataPipe : public std::enable_shared_from_this<DataPipe> {
 public:
  DataPipe(std::uint64_t call_id, std::uint64_t expected_bytes);

  struct Piece {
    std::string frame;  // prefix and header, then room for the bytes
    std::size_t used = 0;
    bool taken = false;
    std::span<char> room();  // what is still free
  };

  // On the reading thread. Waits for a free buffer; null when nobody wants the bytes any more.
  Piece* acquire();
  // On the loop thread: the piece as frames to be sent, after which it is free again.
  OutgoingBytes to_send(Piece* piece);
  void close();

 private:
  std::uint64_t call_id_;
  std::uint64_t expected_bytes_;
  std::size_t piece_bytes_;
  std::mutex mutex_;
  std::condition_variable freed_;
  std::array<Piece, 3> pieces_;
  bool closed_ = false;
};

}  // namespace glovebox::broker
