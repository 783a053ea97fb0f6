// Frames on a stream: a 4-byte little-endian length, then that many bytes of JSON. Grammar: README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "glovebox/result.h"

namespace glovebox::wire {

inline constexpr std::size_t kPrefixBytes = 4;

// The length prefix of a frame with `payload_bytes` bytes.
void append_prefix(std::string& out, std::size_t payload_bytes);

// A whole frame around `payload`.
std::string make_frame(std::string_view payload);

// Builds a frame in place: start with begin_frame(), append the payload, end with end_frame(). No second copy is made.
// The last bytes of the payload may be elsewhere.
std::string begin_frame(std::size_t expected_payload_bytes);
void end_frame(std::string& frame, std::size_t bytes_elsewhere = 0);

// Cuts a byte stream into payloads. It allocates no more memory than it was given bytes, so that a length of 4 GiB
// costs nothing, and it refuses a length above `max_payload_bytes` as soon as the prefix is there.
class FrameReader {
 public:
  // This many bytes after each payload may be read (not written): parsers that read ahead need no copy.
  static constexpr std::size_t kReadablePadding = 64;

  explicit FrameReader(std::size_t max_payload_bytes) : max_payload_bytes_(max_payload_bytes) {}

  void append(std::string_view bytes);

  enum class State { kNeedMore, kFrame, kTooLarge, kEmpty };
  // kFrame: `payload` is the next frame and stays valid until the next call of any member.
  // kTooLarge and kEmpty are final: the stream can no longer be trusted.
  State next(std::string_view& payload);

  // A part of the payload that next() has given, which is over with that. Large ones are not copied.
  std::string take(std::string_view part);

  bool holds_partial_frame() const { return buffer_.size() > consumed_; }
  std::size_t max_payload_bytes() const { return max_payload_bytes_; }

 private:
  std::uint32_t frame_length() const;  // of the frame at the front, whose prefix is there

  std::size_t max_payload_bytes_;
  std::string buffer_;
  std::size_t consumed_ = 0;
};

}  // namespace glovebox::wire
