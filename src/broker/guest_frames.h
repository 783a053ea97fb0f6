// What a guest says, taken apart under the assumption that it is hostile. Whatever is not exactly a frame of the
// grammar in wire/README.md is refused, and the guest with it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "calls/call.h"
#include "glovebox/result.h"
#include "glovebox/sandbox.h"
#include "wire/data_frame.h"
#include "wire/limits.h"

namespace glovebox::broker {

struct LogFrame {
  LogLevel level;
  std::string text;
};
struct DoneFrame {
  std::string result_json;
  // What the guest says it was made with. It may lie, and then deceives only those who run the same code again.
  bool used_clock = true;
  bool used_random = true;
};
struct FailFrame {
  RunError error;
};
using GuestFrame = std::variant<LogFrame, calls::Call, wire::DataPiece, DoneFrame, FailFrame>;

// The largest payload that the grammar allows besides a result: the arguments of a call. A log line or an error text is
// smaller, even with every byte of it escaped.
inline constexpr std::size_t kMaxSmallPayloadBytes = wire::kMaxCallArgumentBytes + wire::kFrameOverheadBytes;
static_assert(kMaxSmallPayloadBytes >= 6 * (wire::kMaxLogLineBytes + 2 * wire::kMaxErrorTextBytes));
static_assert(kMaxSmallPayloadBytes >= wire::kDataHeaderBytes + wire::kMaxDataBytes);

class GuestFrameParser {
 public:
  GuestFrameParser();
  ~GuestFrameParser();

  // `payload` comes from a wire::FrameReader, which keeps readable bytes behind it. A Call and a DataPiece refer to it,
  // and are good until the next frame is parsed.
  Result<GuestFrame> parse(std::string_view payload);

 private:
  struct Json;
  std::unique_ptr<Json> json_;
};

// Whether `text` is one JSON value within our depth, for what comes from the owner's side.
Result<void> check_json(std::string_view text);

}  // namespace glovebox::broker
