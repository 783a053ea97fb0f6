// Calls from the guest to the gateway, and what becomes of their replies. JavaScript keeps the promises; here are the
// frames.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "guest/incoming_bytes.h"
#include "guest/web/native_call.h"
#include "wire/json_members.h"

namespace glovebox::guest {

class Engine;

// Natives for the prelude: send_call, call_sync, encode_arguments, send_tool_call.
std::span<const NativeFunction> call_functions();

class HostCalls {
 public:
  explicit HostCalls(Engine& engine) : engine_(engine) {}

  // Wakes the guest when its clock shows `until_ms`.
  void send_sleep(double until_ms);
  // Blocks until the gateway answers any call; settles its promise.
  void wait_for_reply();

  // The id of a new call, or an exception. `arguments` is any value that has a form in JSON; `bytes` may be undefined.
  std::optional<std::uint64_t> send(v8::Local<v8::Value> op, v8::Local<v8::Value> arguments,
                                    v8::Local<v8::Value> bytes);
  // A tool with arguments that are JSON already; `raw`: its content blocks are wanted.
  std::uint64_t send_tool(std::string_view server, std::string_view tool, std::string_view arguments_json, bool raw);
  // What the bytes of a reply become: a Uint8Array, a string, or the value that they are the JSON of.
  enum class Form { kBytes, kText, kJson };
  // Blocks until that very call is answered: [ok, value or error, bytes]. Others' replies wait.
  v8::MaybeLocal<v8::Value> wait_for(std::uint64_t id, Form form);
  void expect(std::uint64_t id, Form form) { forms_[id] = form; }

  // The same for callers that read JSON themselves, and that release the bytes.
  struct RawReply {
    std::uint64_t id = 0;
    bool ok = false;
    std::string json;  // of the value or of the error
    IncomingBytes::Gathered bytes;
  };
  std::uint64_t send_json(std::string_view op, std::string_view arguments_json, std::span<const std::uint8_t> bytes);
  RawReply wait_for_raw(std::uint64_t id);
  // The next reply to any call, or nothing once the clock shows `until_ms`; below zero that is never.
  std::optional<RawReply> wait_for_any_raw(double until_ms);

 private:
  struct Parts {
    v8::Local<v8::Value> ok;
    v8::Local<v8::Value> value;
    v8::Local<v8::Value> bytes;
  };
  // Moves the clock and takes the reply apart. An exception (no memory) becomes a failed reply.
  Parts unpack(const wire::JsonMembers& reply, std::uint64_t id, Form form);
  void settle(std::string_view payload);
  RawReply unpack_raw(std::string_view payload);

  Engine& engine_;
  std::uint64_t last_id_ = 0;
  std::uint64_t sleep_id_ = 0;
  double sleeping_until_ = -1;                     // of the earliest sleep that wait_for_any_raw has asked for
  std::deque<std::string> waiting_;                // replies that came while a synchronous call waited for its own
  std::unordered_map<std::uint64_t, Form> forms_;  // of those that are not bytes
};

}  // namespace glovebox::guest
