// Decompression that produces no more than it is asked for, so that a small response cannot become a large one in our
// memory: curl's own decoders decompress whatever they received before the reader is asked whether it has room.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "net/fetch_error.h"

namespace glovebox::net {

// The Accept-Encoding that is sent when the caller sets none.
inline constexpr const char* kAcceptedEncodings = "gzip, deflate, br, zstd";

class ContentDecoder {
 public:
  // Null for unknown codings, for lists of codings, and for "identity".
  static std::unique_ptr<ContentDecoder> make(std::string_view content_encoding);
  virtual ~ContentDecoder() = default;

  // Takes bytes from the front of `input` and appends at most `room` bytes to `output`. When it returns with less than
  // `room`, all of `input` was taken. False: the data is corrupt.
  [[nodiscard]] virtual bool decode(std::string_view& input, std::string& output, std::size_t room) = 0;

  // Whether the data so far is complete.
  virtual bool complete() const = 0;

  // What it holds: a window of up to 16 MB, whose size the server chooses.
  virtual std::size_t memory() const = 0;
};

}  // namespace glovebox::net
