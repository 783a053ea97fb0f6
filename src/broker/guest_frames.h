// Parses the frames of a guest, which is assumed to be hostile. Anything that is not exactly a frame of the grammar in
// wire/README.md is refused, which ends the run.
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
  std::string_view result_json;  // a part of the payload
  // Whether the result depends on them, as the guest reports. A lie affects only later runs of the same code.
  bool used_clock = true;
  bool used_random = true;
};
struct FailFrame {
  RunError error;
};
using GuestFrame = std::variant<LogFrame, calls::Call, wire::DataPiece, DoneFrame, FailFrame>;

// The largest payload that the grammar allows besides a result: the arguments of a call. A log line or an error text is
// smaller, even with every byte escaped.
inline constexpr std::size_t kMaxSmallPayloadBytes = wire::kMaxCallArgumentBytes + wire::kFrameOverheadBytes;
static_assert(kMaxSmallPayloadBytes >= 6 * (wire::kMaxLogLineBytes + 2 * wire::kMaxErrorTextBytes));
static_assert(kMaxSmallPayloadBytes >= wire::kDataHeaderBytes + wire::kMaxDataBytes);

class GuestFrameParser {
 public:
  GuestFrameParser();
  ~GuestFrameParser();

  // `payload` comes from a wire::FrameReader, which keeps readable bytes behind it. A DoneFrame, a Call and a DataPiece
  // refer to it, and are valid until the next frame is parsed.
  Result<GuestFrame> parse(std::string_view payload);

 private:
  struct Json;
  std::unique_ptr<Json> json_;
};

}  // namespace glovebox::broker
