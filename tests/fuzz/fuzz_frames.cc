// A hostile guest's stream: cut into frames, each parsed. What gets through must keep every promise of its type.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "base/text/json_slice.h"
#include "base/text/log_text.h"
#include "base/text/utf8.h"
#include "broker/guest_frames.h"
#include "expect.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace fuzz_frames {

namespace {

using namespace glovebox;

constexpr std::size_t kMaxPayload = 4096;

void check(const broker::LogFrame& log) {
  FUZZ_EXPECT(log.text.size() <= wire::kMaxLogLineBytes);
  FUZZ_EXPECT(base::is_utf8(log.text));
  FUZZ_EXPECT(base::is_utf8(base::neutralise(log.text)));
}

void check(const calls::Call& call) {
  FUZZ_EXPECT(call.id >= 1 && call.id <= (std::uint64_t{1} << 53));
  FUZZ_EXPECT(call.op.size() <= 64);
  FUZZ_EXPECT(call.body_bytes <= (std::uint64_t{1} << 53));
  FUZZ_EXPECT(base::check_json(call.arguments_json, {.max_depth = wire::kMaxFrameDepth}).ok() &&
              call.arguments_json.starts_with('{'));
  // Whatever a handler asks of the arguments, it gets an answer.
  (void)call.arguments.text("path");
  (void)call.arguments.integer("mode");
  (void)call.arguments.number("until");
  (void)call.arguments.texts("args");
  (void)call.arguments.text_pairs("headers");
}

void check(const wire::DataPiece& piece) {
  FUZZ_EXPECT(!piece.bytes.empty() && piece.bytes.size() <= wire::kMaxDataBytes);
}

void check(const broker::FailFrame& fail) {
  const RunError& error = fail.error;
  FUZZ_EXPECT(error.type != ErrorType::kTimeoutError && error.type != ErrorType::kSandboxError);
  FUZZ_EXPECT(error.tool_name.size() <= wire::kMaxToolNameBytes && base::is_utf8(error.tool_name));
  FUZZ_EXPECT(!error.code.empty() &&
              error.code.name().find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos);
  FUZZ_EXPECT(error.message.size() <= wire::kMaxErrorTextBytes && base::is_utf8(error.message));
  FUZZ_EXPECT(error.stack.size() <= wire::kMaxErrorTextBytes && base::is_utf8(error.stack));
  FUZZ_EXPECT(!error.position || (error.position->line >= 1 && error.position->column >= 0));
}

// A result is passed on byte for byte: put into a frame of our own it must be the same again.
void check(const broker::DoneFrame& done) {
  wire::FrameReader reader(2 * kMaxPayload);
  broker::GuestFrameParser parser;
  std::string_view payload;
  reader.append(wire::make_frame(R"({"frame":"done","result":)" + std::string(done.result_json) + "}"));
  FUZZ_EXPECT(reader.next(payload) == wire::FrameReader::State::kFrame);
  auto again = parser.parse(payload);
  FUZZ_EXPECT(again.ok());
  FUZZ_EXPECT(std::get<broker::DoneFrame>(*again).result_json == done.result_json);
}

void parse(broker::GuestFrameParser& parser, std::string_view payload) {
  auto frame = parser.parse(payload);
  if (!frame) {
    FUZZ_EXPECT(frame.failure().code == ErrorCode::kProtocol && !frame.failure().message.empty());
    return;
  }
  std::visit([](const auto& part) { check(part); }, *frame);
}

}  // namespace

FUZZ_TARGET(frames) {
  if (size == 0) return 0;
  std::string_view bytes(reinterpret_cast<const char*>(data), size);
  // The first byte says how many bytes of the stream arrive at a time. 0 is one frame, whose prefix is made here, so
  // that the fuzzer need not guess lengths.
  std::size_t step = data[0];
  bytes.remove_prefix(1);
  std::string framed;
  if (step == 0) {
    framed = wire::make_frame(bytes);
    bytes = framed;
    step = framed.size();
  }
  wire::FrameReader reader(kMaxPayload);
  broker::GuestFrameParser parser;
  while (!bytes.empty()) {
    reader.append(bytes.substr(0, step));
    bytes.remove_prefix(std::min(step, bytes.size()));
    std::string_view payload;
    wire::FrameReader::State state;
    while ((state = reader.next(payload)) == wire::FrameReader::State::kFrame) {
      FUZZ_EXPECT(!payload.empty() && payload.size() <= kMaxPayload);
      parse(parser, payload);
    }
    if (state != wire::FrameReader::State::kNeedMore) return 0;
  }
  return 0;
}

}  // namespace fuzz_frames
