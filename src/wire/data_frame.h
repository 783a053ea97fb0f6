// Bytes beside the JSON: the content of files, bodies of requests and responses, output of commands. A payload that
// begins with a zero byte is such a piece; JSON never begins so. Grammar: README.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glovebox::wire {

// The mark, the id of the call, and how many bytes the sender expects to send for it in all.
inline constexpr std::size_t kDataHeaderBytes = 1 + 8 + 8;

struct DataPiece {
  std::uint64_t call_id = 0;
  std::uint64_t expected_bytes = 0;  // a hint for setting memory aside; 0 where unknown
  std::string_view bytes;
};

bool is_data(std::string_view payload);
// Nothing when `payload` is too short to be one or holds no bytes.
std::optional<DataPiece> read_data(std::string_view payload);

// Writes length prefix and header of a piece of `data_bytes` to `out`, which has room for kPrefixBytes +
// kDataHeaderBytes. The bytes themselves follow.
void write_data_header(char* out, std::uint64_t call_id, std::uint64_t expected_bytes, std::size_t data_bytes);

}  // namespace glovebox::wire
