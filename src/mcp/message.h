// One JSON-RPC message: read as slices of its text, written as text.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/text/json_slice.h"
#include "glovebox/result.h"

namespace glovebox::mcp {

// Codes of JSON-RPC and MCP that we send or understand.
inline constexpr int kParseError = -32700;
inline constexpr int kInvalidRequest = -32600;
inline constexpr int kMethodNotFound = -32601;
inline constexpr int kInvalidParams = -32602;
inline constexpr int kInternalError = -32603;
inline constexpr int kServerBusy = -32000;
inline constexpr std::string_view kServerEnds = "the server is shutting down; ask again in a few seconds";
inline constexpr int kResourceNotFound = -32002;
inline constexpr int kHeaderMismatch = -32020;
inline constexpr int kMissingCapability = -32021;
inline constexpr int kUnsupportedVersion = -32022;
inline constexpr int kUrlElicitationRequired = -32042;

// An error as it appears in a message. `data` is JSON text or empty.
struct RpcError {
  int code = kInternalError;
  std::string message;
  std::string data;
};

enum class MessageKind { kRequest, kNotification, kResult, kError };

// A message that has been checked; every view is a slice of the text that it owns.
class Message {
 public:
  // `options.unique_keys` is for messages of clients: their parameters are judged here and used elsewhere.
  static Result<Message> parse(std::string text, base::SliceOptions options);
  // Takes ownership of the text only if it is a message.
  static Result<Message> parse(std::unique_ptr<std::string>& text, base::SliceOptions options);

  Message(Message&&) noexcept = default;
  Message& operator=(Message&&) noexcept = default;

  MessageKind kind() const { return kind_; }
  // The id as JSON text, so that it can be echoed byte for byte. Empty when there is none or it is null.
  const std::string& id() const { return id_; }
  const std::string& method() const { return method_; }
  std::string_view params() const { return view(params_); }
  std::string_view result() const { return view(result_); }
  std::string_view error() const { return view(error_); }
  const std::string& text() const { return *text_; }

 private:
  struct Range {
    std::size_t from = 0;
    std::size_t size = 0;
  };
  Message() = default;
  Result<void> read(std::string_view text, base::SliceOptions options);
  std::string_view view(Range range) const { return std::string_view(*text_).substr(range.from, range.size); }

  MessageKind kind_ = MessageKind::kNotification;
  // Shared with no one; on the heap so that moving a Message leaves it in place.
  std::unique_ptr<std::string> text_;
  std::string id_;
  std::string method_;
  Range params_;
  Range result_;
  Range error_;
};

// What an error about a text that could not be parsed as a message needs.
struct Salvaged {
  std::string id;          // empty when it cannot be found
  bool is_answer = false;  // the id is that of one of our own requests
};
Salvaged salvage(std::string_view text);

// `params` is JSON text or empty.
std::string request_text(std::string_view id, std::string_view method, std::string_view params);
std::string notification_text(std::string_view method, std::string_view params);
std::string result_text(std::string_view id, std::string_view result);
std::string error_text(std::string_view id, const RpcError& error);

// The error member of a message.
Result<RpcError> parse_error(std::string_view raw);

}  // namespace glovebox::mcp
