#include "guest/host_calls.h"

#include <unistd.h>

#include <algorithm>

#include "base/text/json_text.h"
#include "guest/clock.h"
#include "guest/engine.h"
#include "guest/text.h"
#include "guest/value_encoder.h"
#include "wire/limits.h"

namespace glovebox::guest {
namespace {

wire::JsonMembers as_reply(std::string_view payload) {
  auto reply = wire::JsonMembers::split(payload);
  if (!reply || reply->word("frame") != "reply") ::_exit(1);
  return std::move(*reply);
}

std::uint64_t id_of(const wire::JsonMembers& reply) {
  return static_cast<std::uint64_t>(reply.integer("id").value_or(0));
}

// send_call(op, arguments, bytes, asText) → id
void send_call(const Arguments& arguments) {
  HostCalls& calls = Engine::current(arguments.GetIsolate()).calls();
  const auto id = calls.send(arguments[0], arguments[1], arguments[2]);
  if (!id) return;
  if (arguments[3]->IsTrue()) calls.expect(*id, HostCalls::Form::kText);
  arguments.GetReturnValue().Set(static_cast<double>(*id));
}

// call_sync(op, arguments, bytes, asText) → [ok, value, bytes]
void call_sync(const Arguments& arguments) {
  HostCalls& calls = Engine::current(arguments.GetIsolate()).calls();
  const auto id = calls.send(arguments[0], arguments[1], arguments[2]);
  v8::Local<v8::Value> answer;
  const auto form = arguments[3]->IsTrue() ? HostCalls::Form::kText : HostCalls::Form::kBytes;
  if (id && calls.wait_for(*id, form).ToLocal(&answer)) arguments.GetReturnValue().Set(answer);
}

// encode_arguments(value) -> JSON text of an object, or an exception that says where the trouble is
void encode_arguments(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  std::string json;
  ValueEncoder encoder(isolate, isolate->GetCurrentContext(), {wire::kMaxCallArgumentBytes, wire::kMaxValueDepth},
                       EncodePurpose::kArguments);
  switch (encoder.encode(arguments[0], "arguments", json)) {
    case EncodeStatus::kThrew: return;
    case EncodeStatus::kRefused: return throw_type_error(isolate, encoder.refusal().message.c_str());
    case EncodeStatus::kEncoded: break;
  }
  // What has a toJSON may turn out to be anything.
  if (json.front() != '{') return throw_type_error(isolate, "arguments must be an object");
  v8::Local<v8::String> text;
  if (v8::String::NewFromUtf8(isolate, json.data(), v8::NewStringType::kNormal, static_cast<int>(json.size()))
          .ToLocal(&text)) {
    arguments.GetReturnValue().Set(text);
  }
}

// send_tool_call(server, tool, argumentsJson, raw) -> id
void send_tool_call(const Arguments& arguments) {
  v8::Isolate* isolate = arguments.GetIsolate();
  for (int i = 0; i < 3; ++i) {
    if (!arguments[i]->IsString()) return throw_type_error(isolate, "A tool has a name and arguments");
  }
  HostCalls& calls = Engine::current(isolate).calls();
  const std::uint64_t id =
      calls.send_tool(to_utf8(isolate, arguments[0].As<v8::String>()), to_utf8(isolate, arguments[1].As<v8::String>()),
                      to_utf8(isolate, arguments[2].As<v8::String>()), arguments[3]->IsTrue());
  calls.expect(id, HostCalls::Form::kJson);
  arguments.GetReturnValue().Set(static_cast<double>(id));
}

constexpr NativeFunction kCallFunctions[] = {{"send_call", send_call},
                                             {"call_sync", call_sync},
                                             {"encode_arguments", encode_arguments},
                                             {"send_tool_call", send_tool_call}};

}  // namespace

std::span<const NativeFunction> call_functions() {
  return kCallFunctions;
}

void HostCalls::send_sleep(double until_ms) {
  sleep_id_ = ++last_id_;
  engine_.socket().send(R"({"frame":"call","id":)" + std::to_string(sleep_id_) + R"(,"op":"sleep","args":{"until":)" +
                        std::to_string(static_cast<long long>(until_ms)) + "}}");
}

std::optional<std::uint64_t> HostCalls::send(v8::Local<v8::Value> op, v8::Local<v8::Value> arguments,
                                             v8::Local<v8::Value> bytes) {
  v8::Isolate* isolate = engine_.isolate();
  ReadableBytes body;
  if (!op->IsString() || (!bytes->IsUndefined() && !body.take(bytes))) {
    throw_type_error(isolate, "A call needs an operation, and bytes that are bytes");
    return std::nullopt;
  }
  std::string frame = R"(,"op":)" + base::json_string(to_utf8(isolate, op.As<v8::String>(), 64)) + R"(,"args":)";
  ValueEncoder encoder(isolate, engine_.context(), {wire::kMaxCallArgumentBytes, wire::kMaxValueDepth});
  switch (encoder.encode(arguments, "arguments", frame)) {
    case EncodeStatus::kThrew: return std::nullopt;
    case EncodeStatus::kRefused: throw_type_error(isolate, encoder.refusal().message.c_str()); return std::nullopt;
    case EncodeStatus::kEncoded: break;
  }
  // Encoding may run code of the guest, which may move or shrink the buffer: its bytes are taken again.
  if (!bytes->IsUndefined()) body.take(bytes);
  frame += ",\"body\":" + std::to_string(body.bytes().size()) + '}';
  // Only now: code that ran in between may have made calls of its own, and ids grow in the order of frames.
  const std::uint64_t id = ++last_id_;
  engine_.socket().send(R"({"frame":"call","id":)" + std::to_string(id) + frame);
  engine_.socket().send_data(id, body.bytes());
  return id;
}

std::uint64_t HostCalls::send_tool(std::string_view server, std::string_view tool, std::string_view arguments_json,
                                   bool raw) {
  const std::uint64_t id = ++last_id_;
  std::string frame = R"({"frame":"call","id":)" + std::to_string(id) + R"(,"op":"tool","args":{"server":)";
  base::append_json_string(frame, server);
  frame += ",\"tool\":";
  base::append_json_string(frame, tool);
  frame.append(",\"arguments\":").append(arguments_json).append(raw ? ",\"raw\":true}}" : "}}");
  engine_.socket().send(frame);
  return id;
}

HostCalls::Parts HostCalls::unpack(const wire::JsonMembers& reply, std::uint64_t id, Form form) {
  v8::Isolate* isolate = engine_.isolate();
  const auto context = engine_.context();
  GuestClock::move_to(reply.integer("now").value_or(0));
  const bool ok = reply.raw("ok") == "true";
  Parts parts{v8::Boolean::New(isolate, ok), v8::Null(isolate), v8::Undefined(isolate)};
  const IncomingBytes::Gathered gathered = engine_.socket().incoming().take(id);
  const std::string_view json = reply.raw(ok ? "value" : "error");
  v8::TryCatch try_catch(isolate);
  if (json != "null" && !v8::JSON::Parse(context, to_v8(isolate, json)).ToLocal(&parts.value)) {
    engine_.socket().incoming().release(gathered);
    return {v8::False(isolate), try_catch.Exception(), parts.bytes};
  }
  if (!ok) {
    engine_.socket().incoming().release(gathered);
    return parts;
  }
  v8::Local<v8::ArrayBuffer> buffer;
  v8::Local<v8::String> text;
  if (form == Form::kText) {
    if (to_text(isolate, engine_.socket().incoming(), gathered).ToLocal(&text)) parts.bytes = text;
  } else if (form == Form::kJson) {
    // A large value came as bytes; a small one was in the reply.
    const bool is_large = gathered.data || gathered.lost;
    if (is_large && (!to_text(isolate, engine_.socket().incoming(), gathered).ToLocal(&text) ||
                     !v8::JSON::Parse(context, text).ToLocal(&parts.value))) {
      return {v8::False(isolate), try_catch.Exception(), v8::Undefined(isolate)};
    }
  } else if (gathered.data || gathered.lost) {
    if (to_array_buffer(isolate, engine_.socket().incoming(), gathered).ToLocal(&buffer)) {
      parts.bytes = v8::Uint8Array::New(buffer, 0, buffer->ByteLength());
    }
  }
  if (try_catch.HasCaught()) return {v8::False(isolate), try_catch.Exception(), v8::Undefined(isolate)};
  return parts;
}

void HostCalls::settle(std::string_view payload) {
  const auto reply = as_reply(payload);
  const std::uint64_t id = id_of(reply);
  if (id == sleep_id_) return GuestClock::move_to(reply.integer("now").value_or(0));
  const auto expected = forms_.extract(id);
  const Parts parts = unpack(reply, id, expected ? expected.mapped() : Form::kBytes);
  v8::Isolate* isolate = engine_.isolate();
  v8::Local<v8::Value> arguments[] = {v8::Number::New(isolate, static_cast<double>(id)), parts.ok, parts.value,
                                      parts.bytes};
  // It throws only when memory or the stack has run out; the code then waits until its time is up.
  const v8::TryCatch ignored(isolate);
  if (engine_.prelude_function("settle_call")
          ->Call(engine_.context(), v8::Undefined(isolate), 4, arguments)
          .IsEmpty()) {
    return;
  }
}

void HostCalls::wait_for_reply() {
  if (waiting_.empty()) return settle(engine_.socket().receive());
  const std::string first = std::move(waiting_.front());
  waiting_.pop_front();
  settle(first);
}

v8::MaybeLocal<v8::Value> HostCalls::wait_for(std::uint64_t id, Form form) {
  while (true) {
    const std::string_view payload = engine_.socket().receive();
    const auto reply = as_reply(payload);
    if (id_of(reply) != id) {
      waiting_.emplace_back(payload);
      continue;
    }
    const Parts parts = unpack(reply, id, form);
    v8::Local<v8::Value> elements[] = {parts.ok, parts.value, parts.bytes};
    return v8::Array::New(engine_.isolate(), elements, 3);
  }
}

std::uint64_t HostCalls::send_json(std::string_view op, std::string_view arguments_json,
                                   std::span<const std::uint8_t> bytes) {
  const std::uint64_t id = ++last_id_;
  std::string frame = R"({"frame":"call","id":)" + std::to_string(id) + R"(,"op":)";
  base::append_json_string(frame, op);
  frame.append(",\"args\":").append(arguments_json);
  frame += ",\"body\":" + std::to_string(bytes.size()) + '}';
  engine_.socket().send(frame);
  engine_.socket().send_data(id, bytes);
  return id;
}

HostCalls::RawReply HostCalls::unpack_raw(std::string_view payload) {
  const auto reply = as_reply(payload);
  GuestClock::move_to(reply.integer("now").value_or(0));
  RawReply raw;
  raw.id = id_of(reply);
  raw.ok = reply.raw("ok") == "true";
  raw.json = reply.raw(raw.ok ? "value" : "error");
  raw.bytes = engine_.socket().incoming().take(raw.id);
  return raw;
}

HostCalls::RawReply HostCalls::wait_for_raw(std::uint64_t id) {
  const auto early = std::find_if(waiting_.begin(), waiting_.end(),
                                  [&](const std::string& payload) { return id_of(as_reply(payload)) == id; });
  if (early != waiting_.end()) {
    const std::string payload = std::move(*early);
    waiting_.erase(early);
    return unpack_raw(payload);
  }
  while (true) {
    const std::string_view payload = engine_.socket().receive();
    if (id_of(as_reply(payload)) == id) return unpack_raw(payload);
    waiting_.emplace_back(payload);
  }
}

std::optional<HostCalls::RawReply> HostCalls::wait_for_any_raw(double until_ms) {
  while (until_ms < 0 || static_cast<double>(GuestClock::now_ms()) < until_ms) {
    // One sleep is enough as long as it ends in time.
    if (until_ms >= 0 && (sleeping_until_ < 0 || until_ms < sleeping_until_)) {
      sleeping_until_ = until_ms;
      send_sleep(until_ms);
    }
    std::string payload;
    if (waiting_.empty()) {
      payload = engine_.socket().receive();
    } else {
      payload = std::move(waiting_.front());
      waiting_.pop_front();
    }
    RawReply reply = unpack_raw(payload);
    if (reply.id != sleep_id_) return reply;
    sleeping_until_ = -1;
  }
  return std::nullopt;
}

}  // namespace glovebox::guest
