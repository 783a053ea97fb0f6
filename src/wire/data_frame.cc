#include "wire/data_frame.h"

#include "wire/frame.h"

namespace glovebox::wire {
namespace {

constexpr char kMark = '\0';

void put(char* out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out[i] = static_cast<char>(number >> (8 * i) & 0xff);
}

std::uint64_t get(const char* from) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    number |= static_cast<std::uint64_t>(static_cast<unsigned char>(from[i])) << (8 * i);
  }
  return number;
}

}  // namespace

bool is_data(std::string_view payload) {
  return !payload.empty() && payload.front() == kMark;
}

std::optional<DataPiece> read_data(std::string_view payload) {
  if (!is_data(payload) || payload.size() <= kDataHeaderBytes) return std::nullopt;
  return DataPiece{get(payload.data() + 1), get(payload.data() + 9), payload.substr(kDataHeaderBytes)};
}

void write_data_header(char* out, std::uint64_t call_id, std::uint64_t expected_bytes, std::size_t data_bytes) {
  put(out, kDataHeaderBytes + data_bytes, kPrefixBytes);
  out[kPrefixBytes] = kMark;
  put(out + kPrefixBytes + 1, call_id, 8);
  put(out + kPrefixBytes + 9, expected_bytes, 8);
}

}  // namespace glovebox::wire
