#include "mcp/message.h"

#include <cstdlib>

#include "base/characters/ascii.h"
#include "base/text/json_builder.h"
#include "base/try.h"
#include "mcp/limits.h"

namespace glovebox::mcp {
namespace {

Failure bad_message(const char* what) {
  return {ErrorCode::kProtocol, std::string("not a JSON-RPC message: ") + what};
}

bool is_id(std::string_view raw) {
  if (raw.empty() || raw.size() > kMaxIdBytes) return false;
  if (raw.front() == '"') return true;
  // A fraction is legal JSON-RPC but meaningless; MCP allows whole numbers.
  return (raw.front() == '-' || base::is_digit(raw.front())) && raw.find_first_of(".eE") == raw.npos;
}

// With room for the whole, so that a result of megabytes is copied once.
base::ObjectText begun_message(std::size_t bytes) {
  std::string room;
  room.reserve(bytes + 64);
  base::ObjectText message(std::move(room));
  message.text("jsonrpc", "2.0");
  return message;
}

}  // namespace

Result<Message> Message::parse(std::string text, base::SliceOptions options) {
  auto kept = std::make_unique<std::string>(std::move(text));
  return parse(kept, options);
}

Result<Message> Message::parse(std::unique_ptr<std::string>& text, base::SliceOptions options) {
  Message message;
  GLOVEBOX_TRY_VOID(message.read(*text, options));
  message.text_ = std::move(text);
  return message;
}

Result<void> Message::read(std::string_view text, base::SliceOptions options) {
  const base::JsonSlices slices = GLOVEBOX_TRY(base::JsonSlices::of(text, options));
  if (slices.raw("jsonrpc") != "\"2.0\"") return bad_message("jsonrpc is not \"2.0\"");
  const auto range = [&](std::string_view key) {
    const std::string_view raw = slices.raw(key);
    return raw.empty() ? Range{} : Range{static_cast<std::size_t>(raw.data() - text.data()), raw.size()};
  };
  const std::string_view id = slices.raw("id");
  const bool has_id = !id.empty() && id != "null";
  if (has_id) {
    if (!is_id(id)) return bad_message("the id is neither a string nor a whole number");
    id_ = std::string(id);
  }
  params_ = range("params");
  result_ = range("result");
  error_ = range("error");
  if (slices.has("method")) {
    if (slices.has("result") || slices.has("error")) return bad_message("both a request and an answer");
    if (!id.empty() && !has_id) return bad_message("a request with the id null");
    const std::string_view params = slices.raw("params");
    if (!params.empty() && params.front() != '{') return bad_message("params is not an object");
    method_ = GLOVEBOX_TRY(base::unquote(slices.raw("method")));
    if (method_.empty() || method_.size() > kMaxNameBytes) return bad_message("no usable method");
    kind_ = has_id ? MessageKind::kRequest : MessageKind::kNotification;
    return {};
  }
  if (slices.has("result") == slices.has("error")) return bad_message("neither a request nor an answer");
  if (slices.has("result")) {
    if (!has_id) return bad_message("a result without an id");
    if (slices.raw("result").front() != '{') return bad_message("the result is not an object");
    kind_ = MessageKind::kResult;
    return {};
  }
  if (slices.raw("error").front() != '{') return bad_message("the error is not an object");
  kind_ = MessageKind::kError;
  return {};
}

Salvaged salvage(std::string_view text) {
  const auto slices = base::JsonSlices::of(text, {.max_depth = kMaxMessageDepth, .half_characters = true});
  if (!slices || !is_id(slices->raw("id"))) return {};
  // An id with half a surrogate pair could not be echoed either.
  if (!base::check_json(slices->raw("id"))) return {};
  return {std::string(slices->raw("id")), !slices->has("method")};
}

std::string request_text(std::string_view id, std::string_view method, std::string_view params) {
  return begun_message(id.size() + method.size() + params.size())
      .json("id", id)
      .text("method", method)
      .json_if("params", params)
      .done();
}

std::string notification_text(std::string_view method, std::string_view params) {
  return begun_message(method.size() + params.size()).text("method", method).json_if("params", params).done();
}

std::string result_text(std::string_view id, std::string_view result) {
  return begun_message(id.size() + result.size()).json("id", id).json("result", result).done();
}

std::string error_text(std::string_view id, const RpcError& error) {
  const std::string described =
      base::ObjectText().number("code", error.code).text("message", error.message).json_if("data", error.data).done();
  return begun_message(id.size() + described.size()).json_or_null("id", id).json("error", described).done();
}

Result<RpcError> parse_error(std::string_view raw) {
  const base::JsonSlices slices = GLOVEBOX_TRY(base::JsonSlices::of(raw, {.max_depth = kMaxMessageDepth}));
  RpcError error;
  const std::string code(slices.raw("code"));
  if (code.empty() || code.find_first_not_of("-0123456789") != code.npos) return bad_message("an error without a code");
  error.code = static_cast<int>(std::strtol(code.c_str(), nullptr, 10));
  error.message = GLOVEBOX_TRY(base::unquote(slices.raw("message")));
  error.data = std::string(slices.raw("data"));
  return error;
}

}  // namespace glovebox::mcp
