#include "broker/guest_frames.h"

#include <simdjson.h>

#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "base/text/json_slice.h"
#include "wire/frame.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

namespace dom = simdjson::dom;

Failure broken(std::string why) {
  return {ErrorCode::kProtocol, "the guest broke the protocol: " + std::move(why)};
}

// No frame of the grammar has as many.
constexpr std::size_t kMostFields = 16;

// Parsers disagree on which of two repeated keys counts, and on numbers that no double can hold.
constexpr base::SliceOptions kFrameForm{.max_depth = wire::kMaxFrameDepth, .unique_keys = true, .finite_numbers = true};

bool text_field(const base::JsonSlices& frame, std::string_view field, std::size_t max_bytes, std::string& out) {
  auto text = base::unquote(frame.raw(field));
  if (!text || text->size() > max_bytes) return false;
  out = std::move(*text);
  return true;
}

std::optional<int> integer(std::string_view json) {
  int number = 0;
  const auto [end, error] = std::from_chars(json.data(), json.data() + json.size(), number);
  if (json.empty() || error != std::errc() || end != json.data() + json.size()) return std::nullopt;
  return number;
}

constexpr std::pair<std::string_view, LogLevel> kLogLevels[] = {
    {"debug", LogLevel::kDebug}, {"info", LogLevel::kInfo},   {"log", LogLevel::kLog},
    {"warn", LogLevel::kWarn},   {"error", LogLevel::kError},
};

// The errors that a guest may report. Only we report timeouts and crashes.
constexpr std::pair<std::string_view, ErrorType> kGuestErrorTypes[] = {
    {"SyntaxError", ErrorType::kSyntaxError}, {"RuntimeError", ErrorType::kRuntimeError},
    {"MemoryError", ErrorType::kMemoryError}, {"PermissionError", ErrorType::kPermissionError},
    {"LimitError", ErrorType::kLimitError},   {"ToolError", ErrorType::kToolError},
};

// Numbers on the wire are JavaScript numbers.
constexpr std::int64_t kLargestExactInteger = std::int64_t{1} << 53;

Result<GuestFrame> read_log(const base::JsonSlices& frame) {
  std::string level;
  LogFrame log;
  if (!text_field(frame, "level", 16, level) || !text_field(frame, "text", wire::kMaxLogLineBytes, log.text)) {
    return broken("a log frame without level or text");
  }
  for (const auto& [name, value] : kLogLevels) {
    if (name != level) continue;
    log.level = value;
    return GuestFrame(std::move(log));
  }
  return broken("an unknown log level");
}

Result<GuestFrame> read_call(const base::JsonSlices& slices, dom::object frame) {
  calls::Call call;
  std::int64_t id = 0;
  if (frame.at_key("id").get_int64().get(id) != simdjson::SUCCESS || id < 1 || id > kLargestExactInteger) {
    return broken("a call without a proper id");
  }
  if (!text_field(slices, "op", 64, call.op)) return broken("a call without an op");
  dom::object arguments;
  if (frame.at_key("args").get_object().get(arguments) != simdjson::SUCCESS) return broken("a call without arguments");
  std::int64_t body_bytes = 0;
  if (frame.at_key("body").get_int64().get(body_bytes) == simdjson::SUCCESS &&
      (body_bytes < 0 || body_bytes > kLargestExactInteger)) {
    return broken("an impossible number of bytes");
  }
  call.id = static_cast<std::uint64_t>(id);
  call.arguments = calls::CallArguments(arguments);
  call.body_bytes = static_cast<std::uint64_t>(body_bytes);
  call.arguments_json = slices.raw("args");
  return GuestFrame(std::move(call));
}

Result<GuestFrame> read_fail(const base::JsonSlices& frame) {
  FailFrame fail;
  std::string type;
  std::string word;
  if (!text_field(frame, "type", 64, type) || !text_field(frame, "code", 64, word) ||
      !text_field(frame, "message", wire::kMaxErrorTextBytes, fail.error.message) ||
      !text_field(frame, "stack", wire::kMaxErrorTextBytes, fail.error.stack)) {
    return broken("a fail frame without its fields");
  }
  const auto code = FailureCode::read(word);
  if (!code) return broken("a fail frame without its fields");
  fail.error.code = *code;
  if (frame.has("line") && frame.has("column")) {
    const auto line = integer(frame.raw("line"));
    const auto column = integer(frame.raw("column"));
    if (!line || !column || *line < 1 || *column < 0) return broken("an impossible position");
    fail.error.position = SourcePosition{*line, *column};
  }
  if (frame.has("toolName") && !text_field(frame, "toolName", wire::kMaxToolNameBytes, fail.error.tool_name)) {
    return broken("a tool without a proper name");
  }
  for (const auto& [name, value] : kGuestErrorTypes) {
    if (name != type) continue;
    fail.error.type = value;
    return GuestFrame(std::move(fail));
  }
  return broken("an unknown error type");
}

// The result is passed on byte for byte.
Result<GuestFrame> read_done(const base::JsonSlices& frame) {
  const bool tells_used = frame.has("used");
  if (!frame.has("result") || frame.all().size() != (tells_used ? 3u : 2u))
    return broken("a done frame without a result");
  DoneFrame done{frame.raw("result")};
  if (!tells_used) return GuestFrame(done);
  const auto used = base::slice_array(frame.raw("used"), kFrameForm, kMostFields);
  if (!used) return broken("a done frame whose uses are not a list");
  done.used_clock = done.used_random = false;
  for (const std::string_view word : *used) {
    if (word == R"("clock")") {
      done.used_clock = true;
    } else if (word == R"("random")") {
      done.used_random = true;
    } else {
      return broken("a done frame that uses something that does not exist");
    }
  }
  return GuestFrame(done);
}

}  // namespace

struct GuestFrameParser::Json {
  dom::parser parser{kMaxSmallPayloadBytes + simdjson::SIMDJSON_PADDING};
};

GuestFrameParser::GuestFrameParser() : json_(std::make_unique<Json>()) {}
GuestFrameParser::~GuestFrameParser() = default;

Result<GuestFrame> GuestFrameParser::parse(std::string_view payload) {
  if (wire::is_data(payload)) {
    const auto piece = wire::read_data(payload);
    if (!piece || piece->bytes.size() > wire::kMaxDataBytes) return broken("bytes without a header, or too many");
    return GuestFrame(*piece);
  }
  // Only a result may be large. Our own guests begin its frame like this; another order of fields is accepted, up to
  // the size limit of all other frames.
  if (payload.size() > kMaxSmallPayloadBytes && !payload.starts_with(R"({"frame":"done",)"))
    return broken("a frame too large for its kind");
  const auto frame = base::JsonSlices::of(payload, kFrameForm, kMostFields);
  if (!frame) return broken(frame.failure().message);
  std::string kind;
  if (!text_field(*frame, "frame", 16, kind)) return broken("a frame without its kind");
  if (kind == "log") return read_log(*frame);
  if (kind == "fail") return read_fail(*frame);
  if (kind == "done") return read_done(*frame);
  if (kind != "call") return broken("a frame of an unknown kind");
  static_assert(wire::FrameReader::kReadablePadding >= simdjson::SIMDJSON_PADDING);
  if (json_->parser.allocate(payload.size(), wire::kMaxFrameDepth) != simdjson::SUCCESS) return broken("no memory");
  dom::object members;
  constexpr bool kCopyFirst = false;
  if (const auto error = json_->parser.parse(payload.data(), payload.size(), kCopyFirst).get_object().get(members))
    return broken(simdjson::error_message(error));
  return read_call(*frame, members);
}

}  // namespace glovebox::broker
