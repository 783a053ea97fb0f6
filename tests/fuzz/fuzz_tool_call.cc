// The arguments of a hostile guest's tool call. What reaches the host must be as the host is promised.
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "base/text/json_slice.h"
#include "base/text/utf8.h"
#include "broker/call_desk.h"
#include "broker/guest_frames.h"
#include "calls/tools/tool_calls.h"
#include "expect.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace fuzz_tool_call {

namespace {

using namespace glovebox;

struct CheckingHost : ToolHost {
  std::vector<ToolNamespace> tools() const override { return {}; }
  void call(ToolCall call, ToolAnswer answer) override {
    FUZZ_EXPECT(base::check_json(call.arguments_json, {.max_depth = wire::kMaxFrameDepth}).ok());
    FUZZ_EXPECT(call.arguments_json.starts_with('{') && call.arguments_json.ends_with('}'));
    FUZZ_EXPECT(call.server.size() <= wire::kMaxToolNamePartBytes && base::is_utf8(call.server));
    FUZZ_EXPECT(call.tool.size() <= wire::kMaxToolNamePartBytes && base::is_utf8(call.tool));
    auto owner = std::make_shared<const std::string>(std::move(call.arguments_json));
    answer.value(owner, *owner);
  }
};

}  // namespace

FUZZ_TARGET(tool_call) {
  const std::string_view arguments(reinterpret_cast<const char*>(data), size);
  wire::FrameReader reader(broker::kMaxSmallPayloadBytes);
  broker::GuestFrameParser parser;
  reader.append(wire::make_frame(R"({"frame":"call","id":1,"op":"tool","args":)" + std::string(arguments) + "}"));
  std::string_view payload;
  if (reader.next(payload) != wire::FrameReader::State::kFrame) return 0;
  auto frame = parser.parse(payload);
  if (!frame || !std::holds_alternative<calls::Call>(*frame)) return 0;

  const auto io = std::make_shared<boost::asio::io_context>(1);
  bool is_answered = false;
  bool is_broken = false;
  std::string sent;
  broker::CallDesk::Links links;
  links.send = [&](calls::OutgoingBytes bytes) {
    is_answered = true;
    sent += bytes.bytes;
  };
  links.unsent_bytes = [] { return std::size_t{0}; };
  links.now_ms = [] { return 0; };
  links.blocked = [](std::string) {};
  links.pause_reading = [](bool) {};
  links.violation = [&](std::string) { is_broken = true; };
  const auto desk = std::make_shared<broker::CallDesk>(std::move(links));
  const auto clock =
      std::make_shared<calls::RunClock>(0, calls::RunClock::Limits{std::chrono::hours(1), std::chrono::hours(1)});
  desk->add("tool",
            std::make_unique<calls::ToolCalls>(io, std::make_shared<CheckingHost>(), calls::ToolLimits{}, clock));
  calls::Call call = std::get<calls::Call>(std::move(*frame));
  if (call.op != "tool" || call.body_bytes > 0) return 0;
  desk->open(std::move(call));
  io->poll();
  // Exactly one of them.
  FUZZ_EXPECT(is_answered != is_broken);
  desk->end([] {});
  return 0;
}

}  // namespace fuzz_tool_call
