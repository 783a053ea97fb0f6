#include "broker/data_pipe.h"

#include <algorithm>

#include "wire/data_frame.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

constexpr std::size_t kHeadBytes = wire::kPrefixBytes + wire::kDataHeaderBytes;
constexpr std::size_t kSmallestPiece = 1024;

}  // namespace

// One byte more than expected, so that the end is found without another buffer.
DataPipe::DataPipe(std::uint64_t call_id, std::uint64_t expected_bytes)
    : call_id_(call_id),
      expected_bytes_(expected_bytes),
      piece_bytes_(std::clamp<std::uint64_t>(expected_bytes + 1, kSmallestPiece, wire::kMaxDataBytes)) {}

std::span<char> DataPipe::Piece::room() {
  return std::span(frame).subspan(kHeadBytes + used);
}

DataPipe::Piece* DataPipe::acquire() {
  std::unique_lock lock(mutex_);
  Piece* free = nullptr;
  freed_.wait(lock, [&] {
    const auto found = std::find_if(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return !piece.taken; });
    free = found == pieces_.end() ? nullptr : &*found;
    return closed_ || free;
  });
  if (closed_) return nullptr;
  free->taken = true;
  free->used = 0;
  free->frame.resize(kHeadBytes + piece_bytes_);
  return free;
}

OutgoingBytes DataPipe::to_send(Piece* piece) {
  wire::write_data_header(piece->frame.data(), call_id_, expected_bytes_, piece->used);
  const auto self = shared_from_this();
  return {self, std::string_view(piece->frame).substr(0, kHeadBytes + piece->used),
          [self, piece] {
            {
              const std::lock_guard lock(self->mutex_);
              piece->taken = false;
            }
            self->freed_.notify_one();
          },
          false};
}

void DataPipe::close() {
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
  }
  freed_.notify_all();
}

}  // namespace glovebox::broker
