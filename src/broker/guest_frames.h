// What a guest says, taken apart under the assumption that it is hostile. Whatever is not exactly a frame of the
// grammar in wire/README.md is refused, and the guest with it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "glovebox/result.h"
#include "glovebox/sandbox.h"
#include "wire/limits.h"

namespace glovebox::broker {

struct LogFrame {
  LogLevel level;
  std::string text;
};
struct SleepCall {
  long long id;
  double until_ms;
};
struct DoneFrame {
  std::string result_json;
};
struct FailFrame {
  RunError error;
};
using GuestFrame = std::variant<LogFrame, SleepCall, DoneFrame, FailFrame>;

// The largest payload that the grammar allows besides a result: a log line or an error text, every byte of it escaped.
inline constexpr std::size_t kMaxSmallPayloadBytes =
    6 * (wire::kMaxLogLineBytes + 2 * wire::kMaxErrorTextBytes) + wire::kFrameOverheadBytes;

class GuestFrameParser {
 public:
  GuestFrameParser();
  ~GuestFrameParser();

  // `payload` comes from a wire::FrameReader, which keeps readable bytes behind it.
  Result<GuestFrame> parse(std::string_view payload);

 private:
  struct Json;
  std::unique_ptr<Json> json_;
};

// Whether `text` is one JSON value within our depth, for what comes from the owner's side.
Result<void> check_json(std::string_view text);
bool is_utf8(std::string_view text);

}  // namespace glovebox::broker
