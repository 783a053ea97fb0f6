#include "wire/frame.h"

#include <algorithm>
#include <utility>

namespace glovebox::wire {
namespace {

constexpr std::size_t kLargeFrameBytes = std::size_t{1} << 16;

}  // namespace

void append_prefix(std::string& out, std::size_t payload_bytes) {
  const auto length = static_cast<std::uint32_t>(payload_bytes);
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<char>((length >> shift) & 0xff));
}

std::string make_frame(std::string_view payload) {
  std::string out;
  out.reserve(kPrefixBytes + payload.size());
  append_prefix(out, payload.size());
  out += payload;
  return out;
}

std::string begin_frame(std::size_t expected_payload_bytes) {
  std::string frame;
  frame.reserve(kPrefixBytes + expected_payload_bytes);
  frame.resize(kPrefixBytes);
  return frame;
}

void end_frame(std::string& frame, std::size_t bytes_elsewhere) {
  std::string prefix;
  append_prefix(prefix, frame.size() - kPrefixBytes + bytes_elsewhere);
  frame.replace(0, kPrefixBytes, prefix);
}

void FrameReader::append(std::string_view bytes) {
  if (buffer_.capacity() < buffer_.size() + bytes.size() + kReadablePadding) {
    // Room for the whole frame at once, once its length is known to be allowed: growing step by step would copy it
    // often.
    std::size_t wanted = 2 * buffer_.size() + bytes.size();
    if (buffer_.size() >= kPrefixBytes && frame_length() <= max_payload_bytes_) wanted = kPrefixBytes + frame_length();
    buffer_.reserve(std::max(wanted, buffer_.size() + bytes.size()) + kReadablePadding);
  }
  buffer_.append(bytes);
}

std::uint32_t FrameReader::frame_length() const {
  std::uint32_t length = 0;
  for (std::size_t i = 0; i < kPrefixBytes; ++i) {
    length |= static_cast<std::uint32_t>(static_cast<unsigned char>(buffer_[i])) << (8 * i);
  }
  return length;
}

FrameReader::State FrameReader::next(std::string_view& payload) {
  if (consumed_ > 0) {
    buffer_.erase(0, consumed_);
    consumed_ = 0;
    // A large frame that has been read must not keep its memory for the rest of the run.
    if (buffer_.empty() && buffer_.capacity() > kLargeFrameBytes) buffer_.shrink_to_fit();
  }
  if (buffer_.size() < kPrefixBytes) return State::kNeedMore;
  const std::uint32_t length = frame_length();
  if (length == 0) return State::kEmpty;
  if (length > max_payload_bytes_) return State::kTooLarge;
  if (buffer_.size() < kPrefixBytes + length) return State::kNeedMore;
  payload = std::string_view(buffer_).substr(kPrefixBytes, length);
  consumed_ = kPrefixBytes + length;
  return State::kFrame;
}

std::string FrameReader::take(std::string_view part) {
  if (part.size() < kLargeFrameBytes) return std::string(part);
  const auto begin = static_cast<std::size_t>(part.data() - buffer_.data());
  std::string rest = buffer_.substr(std::exchange(consumed_, 0));
  std::string taken = std::exchange(buffer_, std::move(rest));
  taken.resize(begin + part.size());
  taken.erase(0, begin);
  return taken;
}

}  // namespace glovebox::wire
