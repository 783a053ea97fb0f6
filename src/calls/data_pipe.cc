#include "calls/data_pipe.h"

#include <algorithm>
#include <utility>

#include "wire/data_frame.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::calls {
namespace {

constexpr std::size_t kHeadBytes = wire::kPrefixBytes + wire::kDataHeaderBytes;
constexpr std::size_t kSmallestPiece = 1024;

}  // namespace

// One byte more than expected, so that the end is found without another buffer.
DataPipe::DataPipe(std::uint64_t call_id, std::uint64_t expected_bytes, std::function<void()> freed)
    : call_id_(call_id),
      expected_bytes_(expected_bytes),
      piece_bytes_(std::clamp<std::uint64_t>(expected_bytes + 1, kSmallestPiece, wire::kMaxDataBytes)),
      freed_(std::move(freed)) {}

std::span<char> DataPipe::Piece::room() {
  return std::span(frame).subspan(kHeadBytes + used);
}

DataPipe::Piece* DataPipe::acquire() {
  const auto free =
      std::find_if(pieces_.begin(), pieces_.end(), [](const Piece& piece) { return !piece.taken.load(); });
  if (free == pieces_.end()) return nullptr;
  free->taken = true;
  free->used = 0;
  free->frame.resize(kHeadBytes + piece_bytes_);
  return &*free;
}

OutgoingBytes DataPipe::to_send(Piece* piece) {
  wire::write_data_header(piece->frame.data(), call_id_, expected_bytes_, piece->used);
  const auto self = shared_from_this();
  return {self, std::string_view(piece->frame).substr(0, kHeadBytes + piece->used),
          [self, piece] {
            piece->taken = false;
            self->freed_();
          },
          false};
}

}  // namespace glovebox::calls
