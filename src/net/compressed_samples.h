// For tests: compressed data, small in transit and large when decompressed.
#pragma once

#include <zlib.h>

#include <string>
#include <string_view>

#include "base/try.h"

namespace glovebox::net::testing {

inline std::string from_hex(std::string_view hex) {
  std::string bytes;
  for (std::size_t at = 0; at + 1 < hex.size(); at += 2) {
    bytes += static_cast<char>(std::stoi(std::string(hex.substr(at, 2)), nullptr, 16));
  }
  return bytes;
}

// `window` as in zlib: 31 for gzip, 15 for zlib's own format, -15 for none.
inline std::string gzip_of(std::string_view text, int window = 31) {
  z_stream stream{};
  GLOVEBOX_CHECK(::deflateInit2(&stream, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string out(::deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  GLOVEBOX_CHECK(::deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  ::deflateEnd(&stream);
  return out;
}

// 64 MB in 51 bytes.
inline std::string brotli_of_zeros() {
  return from_hex(
      "cfffff7f002400e2b14072effff9ffff0f8004401c1680eefd3fffffff01900088c302d0bdffcfffff7f001200715800baf7ff");
}

// A frame of blocks that each repeat one byte: 4 bytes for 128 KB.
inline std::string zstd_of_zeros(std::size_t count) {
  std::string out = from_hex("28b52ffd0058");  // no checksum, no size, a window of 2 MB
  constexpr std::size_t kBlock = 128 * 1024;
  while (true) {
    const std::size_t size = count < kBlock ? count : kBlock;
    count -= size;
    const std::size_t header = (count == 0 ? 1 : 0) | 1 << 1 | size << 3;
    out += {static_cast<char>(header), static_cast<char>(header >> 8), static_cast<char>(header >> 16), '\0'};
    if (count == 0) return out;
  }
}

}  // namespace glovebox::net::testing
