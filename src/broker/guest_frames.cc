#include "broker/guest_frames.h"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "wire/frame.h"
#include "wire/json_members.h"
#include "wire/limits.h"

namespace glovebox::broker {
namespace {

namespace dom = simdjson::dom;

Failure broken(std::string why) {
  return {ErrorCode::kProtocol, "the guest broke the protocol: " + std::move(why)};
}

// Parsers disagree on which of two repeated keys counts.
bool has_repeated_key(dom::object object) {
  if (object.size() <= 8) {
    std::array<std::string_view, 8> seen;
    std::size_t count = 0;
    for (const auto member : object) {
      for (std::size_t i = 0; i < count; ++i) {
        if (seen[i] == member.key) return true;
      }
      seen[count++] = member.key;
    }
    return false;
  }
  // Sorted in one block of memory: a result has room for two million keys, and a tree of them would hold up all runs
  // for seconds.
  std::vector<std::string_view> keys;
  keys.reserve(object.size());
  for (const auto member : object) keys.push_back(member.key);
  std::sort(keys.begin(), keys.end());
  return std::adjacent_find(keys.begin(), keys.end()) != keys.end();
}

// The parser bounds the depth, and so the recursion.
bool has_repeated_key_anywhere(dom::element element) {
  dom::object object;
  dom::array array;
  if (element.get_object().get(object) == simdjson::SUCCESS) {
    if (has_repeated_key(object)) return true;
    for (const auto member : object) {
      if (has_repeated_key_anywhere(member.value)) return true;
    }
  } else if (element.get_array().get(array) == simdjson::SUCCESS) {
    for (const dom::element item : array) {
      if (has_repeated_key_anywhere(item)) return true;
    }
  }
  return false;
}

bool text_field(dom::object frame, const char* field, std::size_t max_bytes, std::string& out) {
  std::string_view text;
  if (frame.at_key(field).get_string().get(text) != simdjson::SUCCESS || text.size() > max_bytes) return false;
  out = text;
  return true;
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

Result<GuestFrame> read_log(dom::object frame) {
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

Result<GuestFrame> read_call(dom::object frame, std::string_view payload) {
  calls::Call call;
  std::int64_t id = 0;
  if (frame.at_key("id").get_int64().get(id) != simdjson::SUCCESS || id < 1 || id > kLargestExactInteger) {
    return broken("a call without a proper id");
  }
  if (!text_field(frame, "op", 64, call.op)) return broken("a call without an op");
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
  // The payload was validated, so the slice is well-formed JSON. Our bridge never escapes member names.
  const auto members = wire::JsonMembers::split(payload);
  if (!members || !members->has("args")) return broken("a call whose fields have strange names");
  call.arguments_json = members->raw("args");
  return GuestFrame(std::move(call));
}

Result<GuestFrame> read_fail(dom::object frame) {
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
  std::int64_t line = 0;
  std::int64_t column = 0;
  if (frame.at_key("line").get_int64().get(line) == simdjson::SUCCESS &&
      frame.at_key("column").get_int64().get(column) == simdjson::SUCCESS) {
    if (line < 1 || line > INT32_MAX || column < 0 || column > INT32_MAX) return broken("an impossible position");
    fail.error.position = SourcePosition{static_cast<int>(line), static_cast<int>(column)};
  }
  if (frame.at_key("toolName").error() == simdjson::SUCCESS &&
      !text_field(frame, "toolName", wire::kMaxToolNameBytes, fail.error.tool_name)) {
    return broken("a tool without a proper name");
  }
  for (const auto& [name, value] : kGuestErrorTypes) {
    if (name != type) continue;
    fail.error.type = value;
    return GuestFrame(std::move(fail));
  }
  return broken("an unknown error type");
}

bool read_used(dom::object frame, DoneFrame& done) {
  dom::array used;
  if (frame.at_key("used").get_array().get(used) != simdjson::SUCCESS) return false;
  done.used_clock = done.used_random = false;
  for (const dom::element item : used) {
    std::string_view word;
    if (item.get_string().get(word) != simdjson::SUCCESS) return false;
    if (word != "clock" && word != "random") return false;
    (word == "clock" ? done.used_clock : done.used_random) = true;
  }
  return true;
}

}  // namespace

struct GuestFrameParser::Json {
  dom::parser parser{wire::kMaxFrameBytes + simdjson::SIMDJSON_PADDING};
};

GuestFrameParser::GuestFrameParser() : json_(std::make_unique<Json>()) {}
GuestFrameParser::~GuestFrameParser() = default;

Result<GuestFrame> GuestFrameParser::parse(std::string_view payload) {
  if (wire::is_data(payload)) {
    const auto piece = wire::read_data(payload);
    if (!piece || piece->bytes.size() > wire::kMaxDataBytes) return broken("bytes without a header, or too many");
    return GuestFrame(*piece);
  }
  // A parsed frame takes ten times its size, and the parser keeps that memory: only the last frame may be large. Our
  // own guests begin it like this; another order of fields is accepted, up to the size limit of all other frames.
  if (payload.size() > kMaxSmallPayloadBytes && !payload.starts_with(R"({"frame":"done",)"))
    return broken("a frame too large for its kind");
  static_assert(wire::FrameReader::kReadablePadding >= simdjson::SIMDJSON_PADDING);
  if (json_->parser.allocate(payload.size(), wire::kMaxFrameDepth) != simdjson::SUCCESS) return broken("no memory");
  dom::element root;
  constexpr bool kCopyFirst = false;
  if (const auto error = json_->parser.parse(payload.data(), payload.size(), kCopyFirst).get(root)) {
    return broken(simdjson::error_message(error));
  }
  dom::object frame;
  if (root.get_object().get(frame) != simdjson::SUCCESS) return broken("a frame that is not an object");
  if (has_repeated_key_anywhere(root)) return broken("a repeated key");
  std::string kind;
  if (!text_field(frame, "frame", 16, kind)) return broken("a frame without its kind");
  if (kind == "log") return read_log(frame);
  if (kind == "call") return read_call(frame, payload);
  if (kind == "fail") return read_fail(frame);
  if (kind == "done") {
    // Validated above, so the slice is well-formed JSON; it is passed on byte for byte.
    const auto members = wire::JsonMembers::split(payload);
    const bool tells_used = members && members->has("used");
    if (!members || !members->has("result") || members->all().size() != (tells_used ? 3u : 2u))
      return broken("a done frame without a result");
    DoneFrame done{std::string(members->raw("result"))};
    if (tells_used && !read_used(frame, done)) return broken("a done frame that uses something that does not exist");
    return GuestFrame(std::move(done));
  }
  return broken("a frame of an unknown kind");
}

Result<void> check_json(std::string_view text) {
  dom::parser parser;
  const simdjson::padded_string padded(text);
  if (parser.allocate(padded.size(), wire::kMaxValueDepth + 1) != simdjson::SUCCESS) {  // the root counts as one
    return Failure{ErrorCode::kInvalidArgument, "no memory to read the JSON"};
  }
  dom::element root;
  if (const auto error = parser.parse(padded).get(root)) {
    return Failure{ErrorCode::kInvalidArgument, std::string("not valid JSON: ") + simdjson::error_message(error)};
  }
  return {};
}

}  // namespace glovebox::broker
